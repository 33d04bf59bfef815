// Every point of the table that NVIDIA's cuda_occupancy.h answered (tests/oracles/occupancy/generate.cpp).
#include <fmt/format.h>

#include <catch2/catch.hpp>
#include <cstdint>
#include <fstream>
#include <optional>
#include <sstream>
#include <string>

#include "model/launch/occupancy.h"
#include "tests/model/launch/documented_limits.h"

using namespace gpumodel;
using gpumodel::test::arch_of;

namespace {

constexpr const char* table_path = GPUMODEL_SOURCE_DIR "/tests/oracles/occupancy/table.txt";

struct Score {
    long points = 0;
    long mismatches = 0;
    std::string first;  // the first mismatch, in words

    void expect(bool equal, const std::string& where) {
        ++points;
        if (!equal) {
            first = mismatches == 0 ? where : first;
            ++mismatches;
        }
    }
};

std::optional<int> optional_int(const std::string& text) {
    return text == "-" ? std::nullopt : std::optional(std::stoi(text));
}

int blocks_of(const ArchSpec& arch, const OccupancyRequest& request) {
    return compute_occupancy(arch, request).blocks_per_sm;
}

// " 8<=32 4<=64": 8 blocks up to the value 32, then 4 up to 64; values go in `step` from 0.
template <typename Ask>
void compare_runs(std::istringstream& line, long step, const std::string& where, Score& score, Ask ask) {
    long value = 0;
    for (std::string run; line >> run;) {
        const auto sign = run.find("<=");
        const int blocks = std::stoi(run.substr(0, sign));
        const long last = std::stol(run.substr(sign + 2));
        for (; value <= last; value += step) {
            const int ours = ask(value);
            score.expect(ours == blocks,
                         fmt::format("{} at {}: header {}, ours {}", where, value, blocks, ours));
        }
    }
}

void compare_register_line(std::istringstream& line, const std::string& text, Score& score) {
    int capability = 0;
    std::string hint;
    std::string colon;
    OccupancyRequest request;
    line >> capability >> hint >> request.threads_per_block >> request.shared_bytes_per_block >> colon;
    request.carveout_percent = optional_int(hint);
    compare_runs(line, 1, text, score, [&](long registers) {
        request.registers_per_thread = static_cast<int>(registers);
        return blocks_of(arch_of(capability), request);
    });
}

void compare_shared_line(std::istringstream& line, const std::string& text, Score& score) {
    int capability = 0;
    std::string hint;
    std::string colon;
    OccupancyRequest request;
    line >> capability >> hint >> request.threads_per_block >> request.registers_per_thread >> colon;
    request.carveout_percent = optional_int(hint);
    compare_runs(line, 64, text, score, [&](long bytes) {
        request.shared_bytes_per_block = bytes;
        return blocks_of(arch_of(capability), request);
    });
}

// The header's limiting-factor bits. Ours leave barriers out while every block slot has its own.
unsigned factor_bits(const Occupancy& occupancy) {
    unsigned bits = 0;
    for (const auto limiter : occupancy.limiters) {
        bits |= 1U << static_cast<unsigned>(limiter);
    }
    return bits;
}

void compare_limit_line(std::istringstream& line, const std::string& text, Score& score) {
    int capability = 0;
    std::string hint;
    std::string colon;
    OccupancyRequest request;
    line >> capability >> hint >> request.barriers_per_block >> request.threads_per_block >>
        request.registers_per_thread >> request.shared_bytes_per_block >> colon;
    request.carveout_percent = optional_int(hint);
    int blocks = 0;
    int warps = 0;
    int slots = 0;
    std::string registers;
    std::string shared;
    std::string barriers;
    std::int64_t register_allocation = 0;
    std::int64_t shared_allocation = 0;
    unsigned factors = 0;
    line >> blocks >> warps >> registers >> shared >> slots >> barriers >> register_allocation >>
        shared_allocation >> factors;
    const auto ours = compute_occupancy(arch_of(capability), request);
    const bool spare_barriers = barriers == "-" || std::stoi(barriers) >= slots;
    factors &= spare_barriers ? ~16U : ~0U;
    score.expect(ours.blocks_per_sm == blocks, text);
    score.expect(ours.limit_warps == warps, text);
    score.expect(ours.limit_registers == optional_int(registers), text);
    score.expect(ours.limit_shared_memory == optional_int(shared), text);
    score.expect(ours.limit_blocks == slots, text);
    score.expect(ours.limit_barriers == (spare_barriers ? std::nullopt : optional_int(barriers)), text);
    score.expect(ours.registers_allocated_per_block == register_allocation, text);
    score.expect(ours.shared_allocated_bytes == shared_allocation, text);
    score.expect(factor_bits(ours) == factors, text);
}

}  // namespace

TEST_CASE("occupancy equals cuda_occupancy.h at every point of the oracle table", "[oracle][occupancy]") {
    std::ifstream table(table_path);
    REQUIRE(table);
    Score score;
    for (std::string text; std::getline(table, text);) {
        std::istringstream line(text);
        std::string kind;
        line >> kind;
        if (kind == "R") {
            compare_register_line(line, text, score);
        } else if (kind == "S") {
            compare_shared_line(line, text, score);
        } else if (kind == "L") {
            compare_limit_line(line, text, score);
        } else {
            REQUIRE(kind == "#");
        }
    }
    INFO("first mismatch: " << score.first);
    CHECK(score.mismatches == 0);
    // A table that was cut short must not pass.
    CHECK(score.points > 2'000'000);
    WARN("compared " << score.points << " points with cuda_occupancy.h, mismatches: " << score.mismatches);
}
