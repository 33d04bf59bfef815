#include "tests/traces/emulate/lane_pairs.h"

#include <fmt/format.h>

#include <algorithm>
#include <catch2/catch.hpp>

#include "tests/traces/emulate/opcode_runner.h"

const std::vector<std::uint32_t> half_patterns{
    0x0000, 0x8000, 0x0001, 0x8001, 0x0002, 0x03ff, 0x83ff, 0x0400, 0x8400, 0x0401,
    0x0c00, 0x8c00, 0x1234, 0x9234, 0x2401, 0x3555, 0xb555, 0x3800, 0xb800, 0x3bff,
    0x3c00, 0xbc00, 0x3c01, 0x4000, 0xc000, 0x4248, 0x4900, 0x5640, 0xd640, 0x6bff,
    0x7bfe, 0x7bff, 0xfbff, 0x7c00, 0xfc00, 0x7c01, 0x7e00, 0xfe01, 0x7fff, 0xffff};
const std::vector<std::uint32_t> bfloat_patterns{
    0x0000, 0x8000, 0x0001, 0x8001, 0x0002, 0x007f, 0x807f, 0x0080, 0x8080, 0x0081,
    0x0c00, 0x8c00, 0x1fab, 0x9fab, 0x3300, 0x3381, 0x3eab, 0xbeab, 0x3f00, 0xbf00,
    0x3f7f, 0x3f80, 0xbf80, 0x3f81, 0x4000, 0xc000, 0x4049, 0x42c8, 0xc2c8, 0x477f,
    0x5f7f, 0x7f7f, 0xff7f, 0x7f80, 0xff80, 0x7f81, 0x7fc0, 0xffc1, 0x7fff, 0xffff};

std::vector<std::uint32_t> run_triples(const std::string& arch, const std::vector<std::string>& lines,
                                       const std::vector<Triple>& triples) {
    // before Volta there is no IMAD.SHL
    const bool early = arch < "sm_70" && arch.size() == 5;
    std::vector<std::string> all{early ? "SHL R5, R0, 0x2" : "IMAD.SHL.U32 R5, R0, 0x4, RZ"};
    for (int k = 0; k < 3; ++k) {
        const auto base = word(arch, 32 * k);
        const auto offset = base.substr(base.find("][") + 2);
        all.push_back(fmt::format("LDC R{}, c[0x0][R5+{}", k + 1, offset));
    }
    all.insert(all.end(), lines.begin(), lines.end());
    std::vector<std::uint32_t> results;
    for (std::size_t first = 0; first < triples.size(); first += 32) {
        const auto count = std::min<std::size_t>(32, triples.size() - first);
        std::vector<std::uint32_t> words(96);
        for (std::size_t i = 0; i < count; ++i) {
            for (std::size_t k = 0; k < 3; ++k) {
                words[32 * k + i] = triples[first + i][k];
            }
        }
        const auto lanes = run_lines(arch, all, words);
        results.insert(results.end(), lanes.begin(), lanes.begin() + static_cast<std::ptrdiff_t>(count));
    }
    return results;
}

std::vector<Triple> triples_of(const std::vector<std::uint32_t>& patterns) {
    return triples_of(patterns, patterns);
}

std::vector<Triple> triples_of(const std::vector<std::uint32_t>& lower,
                               const std::vector<std::uint32_t>& upper) {
    const auto n = lower.size();
    const auto pair = [&](std::size_t low, std::size_t high) {
        return upper[high % n] << 16 | lower[low % n];
    };
    std::vector<Triple> triples;
    for (std::size_t i = 0; i < n; ++i) {
        for (std::size_t j = 0; j < n; ++j) {
            triples.push_back({pair(i, j), pair(j, i + j), pair(i + 2 * j, 2 * i + j)});
        }
    }
    return triples;
}

void check_triples(const std::string& arch, const std::vector<std::string>& lines,
                   const std::vector<Triple>& triples,
                   const std::function<std::uint32_t(const Triple&)>& expected) {
    const auto results = run_triples(arch, lines, triples);
    REQUIRE(results.size() == triples.size());
    for (std::size_t i = 0; i < triples.size(); ++i) {
        if (results[i] != expected(triples[i])) {
            const auto& [a, b, c] = triples[i];
            FAIL_CHECK(fmt::format("{} {}: {:08x} {:08x} {:08x} gives {:08x}, not {:08x}", arch, lines.back(),
                                   a, b, c, results[i], expected(triples[i])));
            return;
        }
    }
    CHECK(!triples.empty());
}
