// Conversions to and from half-precision and bfloat16 numbers against the PTX manual's cvt, and minima of
// floats by magnitude.
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <catch2/catch.hpp>
#include <cmath>

#include "tests/traces/emulate/half_reference.h"
#include "tests/traces/emulate/lane_pairs.h"
#include "tests/traces/emulate/opcode_runner.h"

namespace half_conversions_test {

namespace {

namespace ref = half_reference;
using u32 = std::uint32_t;

struct RoundingName {
    std::string suffix, whole;  // of results, and of numbers without fraction
    ref::Mode mode;
};
const std::vector<RoundingName> roundings{{"", "", ref::Mode::nearest},
                                          {".RM", ".FLOOR", ref::Mode::down},
                                          {".RP", ".CEIL", ref::Mode::up},
                                          {".RZ", ".TRUNC", ref::Mode::zero}};

struct Sixteen {
    std::string name;
    const ref::Format* format;
    const std::vector<u32>* patterns;
};
const std::vector<Sixteen> formats{{"F16", &ref::half, &half_patterns},
                                   {"BF16", &ref::bfloat, &bfloat_patterns}};

float single(u32 word) {
    return std::bit_cast<float>(word);
}

// Floats around the numbers of both formats, and what lies half way between them.
std::vector<Triple> floats() {
    std::vector<Triple> triples;
    for (const auto& format : formats) {
        for (const u32 pattern : *format.patterns) {
            const u32 word =
                ref::is_nan(pattern, *format.format)
                    ? pattern << 16 | 1U
                    : std::bit_cast<u32>(static_cast<float>(ref::value_of(pattern, *format.format)));
            for (const u32 change :
                 {0U, 1U, 0xffffffffU, 0x1000U, 0x1001U, 0xfffU, 0x8000U, 0x8001U, 0x3000U}) {
                triples.push_back({word + change, word ^ 0x80000000U, 0});
            }
        }
    }
    return triples;
}

std::vector<Triple> singles_of(const std::vector<u32>& words) {
    std::vector<Triple> triples;
    for (const u32 word : words) {
        triples.push_back({word, 0, 0});
    }
    return triples;
}

long double whole_number(long double value, ref::Mode mode) {
    return mode == ref::Mode::down   ? std::floor(value)
           : mode == ref::Mode::up   ? std::ceil(value)
           : mode == ref::Mode::zero ? std::trunc(value)
                                     : std::nearbyint(value);
}

}  // namespace

TEST_CASE("floats to halves in all roundings, beyond the largest too") {
    for (const auto& to : formats) {
        for (const auto& rounding : roundings) {
            const auto rounded = [&](u32 word) {
                return ref::rounded(single(word), *to.format, rounding.mode);
            };
            check_triples("sm_90", {"F2F." + to.name + ".F32" + rounding.suffix + " R4, R1"}, floats(),
                          [&](const Triple& t) { return rounded(t[0]); });
            check_triples("sm_90", {"F2F." + to.name + ".F32" + rounding.suffix + ".SAT R4, R1"}, floats(),
                          [&](const Triple& t) { return ref::saturated(rounded(t[0]), *to.format); });
        }
    }
    // the largest half and half a step more; a float too small for a half
    CHECK(ref::rounded(65520, ref::half) == 0x7c00);
    CHECK(ref::rounded(65519.99L, ref::half) == 0x7bff);
    CHECK(ref::rounded(1e-30L, ref::half, ref::Mode::up) == 1);
}

TEST_CASE("doubles to halves are rounded once") {
    // just above the middle between 1 and the next half: a float in between would be that middle
    const std::vector<std::string> setting{"MOV R6, 0x1", "MOV R7, 0x3ff00200"};
    const auto converted = [&](const std::string& line) {
        auto lines = setting;
        lines.push_back(line);
        return run_lines("sm_90", lines)[0];
    };
    CHECK(converted("F2F.F16.F64 R4, R6") == 0x3c01);
    CHECK(converted("F2F.F16.F64.RZ R4, R6") == 0x3c00);
    CHECK(converted("F2F.F16.F64.RM R4, -R6") == 0xbc01);
    CHECK(converted("F2F.BF16.F64.RP R4, R6") == 0x3f81);
    CHECK(converted("F2F.BF16.F64 R4, R6") == 0x3f80);
}

TEST_CASE("pairs of floats to pairs of halves") {
    for (const auto& to : formats) {
        for (const bool cut : {false, true}) {
            for (const std::string last : {"", "RELU.", "SATFINITE."}) {
                const auto half = [&](u32 word) {
                    const u32 bits =
                        ref::rounded(single(word), *to.format, cut ? ref::Mode::zero : ref::Mode::nearest);
                    const bool infinite = (bits & 0x7fffU) == to.format->infinity;
                    return last == "RELU."                    ? ref::rectified(bits, *to.format)
                           : last == "SATFINITE." && infinite ? bits - 1
                                                              : bits;
                };
                const auto name = "F2FP." + last + to.name + ".F32.";
                const std::string end = cut ? ".RZ" : "";
                check_triples("sm_90", {name + "PACK_AB" + end + " R4, R1, R2"}, floats(),
                              [&](const Triple& t) { return half(t[0]) << 16 | half(t[1]); });
                check_triples("sm_90", {name + "MERGE_C" + end + " R4, R1, RZ"}, floats(),
                              [&](const Triple& t) { return half(t[0]); });
            }
        }
    }
    CHECK_THROWS_WITH(run_lines("sm_90", {"MOV R1, R0", "F2FP.RELU.F16.F32.MERGE_C R4, R1, R0"}),
                      Catch::Contains("is not emulated"));
}

TEST_CASE("integers to halves in all roundings") {
    const std::vector<u32> integers{0,     1,      2047,       2048,       2049,       2051,       4095,
                                    65504, 65519,  65520,      65536,      257,        0x7fffffff, 0x80000000,
                                    99999, 0xffff, 0xfffff7ff, 0xfffff7fd, 0xffffffff, 0xffff0000};
    for (const auto& to : formats) {
        for (const auto& rounding : roundings) {
            check_triples("sm_90", {"I2F." + to.name + rounding.suffix + " R4, R1"}, singles_of(integers),
                          [&](const Triple& t) {
                              return ref::rounded(static_cast<std::int32_t>(t[0]), *to.format, rounding.mode);
                          });
            check_triples("sm_90", {"I2F." + to.name + ".U32" + rounding.suffix + " R4, R1"},
                          singles_of(integers),
                          [&](const Triple& t) { return ref::rounded(t[0], *to.format, rounding.mode); });
        }
    }
    CHECK(run_lines("sm_90", {"MOV R6, 0x1", "MOV R7, 0x1", "I2F.BF16.S64.RP R4, R6"})[0] == 0x4f81);
}

TEST_CASE("halves to integers and to whole numbers") {
    for (const auto& from : formats) {
        for (const auto& rounding : roundings) {
            check_triples(
                "sm_90", {"F2I." + from.name + rounding.whole + ".NTZ R4, R1"}, singles_of(*from.patterns),
                [&](const Triple& t) -> u32 {
                    if (ref::is_nan(t[0], *from.format)) {
                        return 0;
                    }
                    const auto whole = whole_number(ref::value_of(t[0], *from.format), rounding.mode);
                    return whole >= 2147483648.0L    ? 0x7fffffffU
                           : whole <= -2147483648.0L ? 0x80000000U
                                                     : static_cast<u32>(static_cast<std::int32_t>(whole));
                });
            check_triples("sm_90", {"FRND." + from.name + rounding.whole + " R4, R1"},
                          singles_of(*from.patterns), [&](const Triple& t) {
                              return ref::is_nan(t[0], *from.format)
                                         ? ref::nan
                                         : ref::rounded(
                                               whole_number(ref::value_of(t[0], *from.format), rounding.mode),
                                               *from.format);
                          });
        }
    }
}

TEST_CASE("halves to bfloat16 numbers and back, and to floats") {
    for (const auto& rounding : roundings) {
        const auto converted = [&](u32 bits, const ref::Format& from, const ref::Format& to) {
            return ref::is_nan(bits, from) ? ref::nan
                                           : ref::rounded(ref::value_of(bits, from), to, rounding.mode);
        };
        check_triples("sm_90", {"F2F.BF16.F16" + rounding.suffix + " R4, R1.H1_H1"},
                      triples_of(half_patterns),
                      [&](const Triple& t) { return converted(t[0] >> 16, ref::half, ref::bfloat); });
        check_triples("sm_90", {"F2F.F16.BF16" + rounding.suffix + " R4, R1"}, triples_of(bfloat_patterns),
                      [&](const Triple& t) { return converted(t[0] & 0xffffU, ref::bfloat, ref::half); });
    }
    CHECK(run_lines("sm_90", {"MOV R1, 0x3f80", "F2F.F32.BF16 R4, R1"})[0] == 0x3f800000);
    CHECK(run_lines("sm_90", {"MOV R1, 0x8001", "F2F.FTZ.F32.BF16 R4, R1"})[0] == 0x80000000);
    CHECK(run_lines("sm_60", {"MOV R1, 0x4000", "F2F.F32.F16.SAT R4, R1"})[0] == 0x3f800000);
    CHECK(run_lines("sm_60", {"MOV R1, 0x7e00", "F2F.F16.F16.PASS.SAT R4, R1"})[0] == 0);
}

TEST_CASE("the smaller or greater magnitude of floats with the product's sign") {
    const std::vector<u32> words{0,          0x80000000, 1,          0x80000001, 0x3f800000, 0xbf800000,
                                 0x40400000, 0xc0400000, 0x7f800000, 0xff800000, 0x7fc00000, 0xff800001};
    std::vector<Triple> pairs;
    for (const u32 a : words) {
        for (const u32 b : words) {
            pairs.push_back({a, b, 0});
        }
    }
    const auto is_nan = [](u32 a) { return (a & 0x7fffffffU) > 0x7f800000U; };
    for (const bool smaller : {false, true}) {
        for (const bool nan_wins : {false, true}) {
            for (const bool flushes : {false, true}) {
                const auto line = fmt::format("FMNMX{}{}.XORSIGN R4, |R1|, |R2|, {}", flushes ? ".FTZ" : "",
                                              nan_wins ? ".NAN" : "", smaller ? "PT" : "!PT");
                check_triples("sm_86", {line}, pairs, [&](const Triple& t) -> u32 {
                    const auto magnitude = [&](u32 a) {
                        a &= 0x7fffffffU;
                        return flushes && a < 0x800000U ? 0 : a;
                    };
                    const bool no_a = is_nan(t[0]), no_b = is_nan(t[1]);
                    if ((no_a && no_b) || (nan_wins && (no_a || no_b))) {
                        return 0x7fffffffU;
                    }
                    const u32 a = magnitude(t[0]), b = magnitude(t[1]);
                    const u32 chosen = no_a ? b : no_b ? a : smaller ? std::min(a, b) : std::max(a, b);
                    return chosen | ((t[0] ^ t[1]) & 0x80000000U);
                });
            }
        }
    }
    CHECK(run_lines("sm_86", {"MOV R1, 0x80000000", "FMNMX.XORSIGN R4, |R1|, 2, !PT"})[0] == 0xc0000000);
}

}  // namespace half_conversions_test
