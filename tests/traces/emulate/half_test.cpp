// Instructions on pairs of half-precision and bfloat16 numbers against what the PTX manual says.
#include <fmt/format.h>

#include <bit>
#include <catch2/catch.hpp>
#include <cmath>

#include "tests/traces/emulate/half_reference.h"
#include "tests/traces/emulate/lane_pairs.h"
#include "tests/traces/emulate/opcode_runner.h"

namespace half_test {

namespace {

namespace ref = half_reference;
using ref::by_halves;
using ref::Format;
using u32 = std::uint32_t;

const char* const comparisons[] = {"EQ",  "NE",  "LT",  "LE",  "GT",  "GE",  "EQU",
                                   "NEU", "LTU", "LEU", "GTU", "GEU", "NUM", "NAN"};
constexpr u32 sign = 0x8000;

std::vector<Triple> half_triples() {
    static const auto triples = triples_of(half_patterns);
    return triples;
}
std::vector<Triple> bfloat_triples() {
    static const auto triples = triples_of(bfloat_patterns);
    return triples;
}

// Both formats, with what their instructions have in the name.
struct Kind {
    const char* suffix;
    const Format* format;
    const std::vector<Triple> triples;
};
std::vector<Kind> kinds() {
    return {{"", &ref::half, half_triples()}, {".BF16_V2", &ref::bfloat, bfloat_triples()}};
}

}  // namespace

TEST_CASE("minima and maxima of pairs of halves: NaNs, zeros of both signs, magnitudes") {
    for (const auto& kind : kinds()) {
        for (const bool smaller : {false, true}) {
            for (const bool nan_wins : {false, true}) {
                for (const bool magnitudes : {false, true}) {
                    const auto line =
                        fmt::format("HMNMX2{}{}{} R4, {}, {}", kind.suffix, nan_wins ? ".NAN" : "",
                                    magnitudes ? ".XORSIGN" : "", magnitudes ? "|R1|, |R2|" : "R1, R2",
                                    smaller ? "PT" : "!PT");
                    check_triples("sm_90", {line}, kind.triples, [&](const Triple& t) {
                        return by_halves(
                            [&](u32 a, u32 b, u32) {
                                return ref::chosen(a, b, *kind.format, {smaller, nan_wins, magnitudes});
                            },
                            t[0], t[1]);
                    });
                }
            }
        }
    }
}

TEST_CASE("minima of pairs of halves: subnormal numbers with .FTZ, one half for both, signs") {
    const auto smaller = [](u32 a, u32 b) { return ref::chosen(a, b, ref::half, {true, false, false}); };
    const auto flush = [](u32 a) { return ref::flushed(a, ref::half); };
    check_triples("sm_86", {"HMNMX2.FTZ R4, R1, R2, PT"}, half_triples(), [&](const Triple& t) {
        return by_halves([&](u32 a, u32 b, u32) { return smaller(flush(a), flush(b)); }, t[0], t[1]);
    });
    check_triples("sm_86", {"HMNMX2.FTZ.XORSIGN R4, |R1|, |R2|, !PT"}, half_triples(), [&](const Triple& t) {
        return by_halves(
            [&](u32 a, u32 b, u32) {
                return ref::chosen(flush(a), flush(b), ref::half, {false, false, true});
            },
            t[0], t[1]);
    });
    check_triples("sm_80", {"HMNMX2 R4, -R1.H1_H1, |R2|.H0_H0, PT"}, half_triples(), [&](const Triple& t) {
        const u32 one = smaller(t[0] >> 16 ^ sign, t[1] & 0x7fffU);
        return one << 16 | one;
    });
    check_triples("sm_80", {"HMNMX2 R4, -|R1|, R2, PT"}, half_triples(), [&](const Triple& t) {
        return by_halves([&](u32 a, u32 b, u32) { return smaller(a | sign, b); }, t[0], t[1]);
    });
    // immediates: that of the upper half first
    check_triples("sm_80", {"HMNMX2 R4, R1, -2, 1, PT"}, half_triples(), [&](const Triple& t) {
        return smaller(t[0] >> 16, 0xc000) << 16 | smaller(t[0] & 0xffffU, 0x3c00);
    });
    check_triples("sm_80", {"HMNMX2 R4, R1, -INF , +INF , PT"}, half_triples(), [&](const Triple& t) {
        return smaller(t[0] >> 16, 0xfc00) << 16 | smaller(t[0] & 0xffffU, 0x7c00);
    });
    CHECK(run_lines("sm_90", {"UMOV UR4, 0x3c00c000", "MOV R1, 0x40004000",
                              "HMNMX2 R4, R1, UR4.H0_H0, PT"})[0] == 0xc000c000);
    CHECK(run_lines("sm_90", {"MOV R1, 0x40004000", fmt::format("HMNMX2 R4, R1, |{}|, PT", word("sm_90", 0))},
                    {0x3c00c200})[0] == 0x3c004000);
}

TEST_CASE("minima and maxima of three pairs of halves") {
    for (const auto& kind : kinds()) {
        for (const bool smaller : {false, true}) {
            for (const bool nan_wins : {false, true}) {
                const auto choose = [&](u32 a, u32 b) {
                    return ref::chosen(a, b, *kind.format, {smaller, nan_wins, false});
                };
                const auto line = fmt::format("VHMNMX{}{} R4, R1, |R2|, -R3, {}", kind.suffix,
                                              nan_wins ? ".NAN" : "", smaller ? "PT" : "!PT");
                check_triples("sm_90", {line}, kind.triples, [&](const Triple& t) {
                    return by_halves(
                        [&](u32 a, u32 b, u32 c) { return choose(choose(a, b & 0x7fffU), c ^ sign); }, t[0],
                        t[1], t[2]);
                });
            }
        }
    }
}

TEST_CASE("comparisons of halves into a register") {
    for (const auto& kind : kinds()) {
        for (const auto* comparison : comparisons) {
            for (const bool number : {false, true}) {
                const u32 yes = number ? kind.format->one : 0xffffU;
                const auto line = fmt::format("HSET2{}{}.{}.AND R4, R1, R2, PT", kind.suffix,
                                              number ? ".BF" : "", comparison);
                check_triples("sm_90", {line}, kind.triples, [&](const Triple& t) {
                    return by_halves(
                        [&](u32 a, u32 b, u32) {
                            return ref::compares(comparison, a, b, *kind.format) ? yes : 0;
                        },
                        t[0], t[1]);
                });
            }
        }
    }
    const auto flush = [](u32 a) { return ref::flushed(a, ref::half); };
    check_triples(
        "sm_75", {"HSET2.GT.FTZ.AND R4, R1.H1_H1, -|R2|, PT"}, half_triples(), [&](const Triple& t) {
            return by_halves(
                [&](u32, u32 b, u32) {
                    return ref::compares("GT", flush(t[0] >> 16), flush(b | sign), ref::half) ? 0xffffU : 0;
                },
                t[0], t[1]);
        });
}

TEST_CASE("comparisons of halves into two predicates, joined with a third") {
    const std::vector<std::string> split{"SEL R4, RZ, 0x1, !P0", "SEL R6, RZ, 0x2, !P1",
                                         "LOP3.LUT R4, R4, R6, RZ, 0xfc, !PT"};
    for (const auto& kind : kinds()) {
        for (const auto* comparison : comparisons) {
            for (const std::string join : {"AND", "OR", "XOR"}) {
                // the predicate holds where the third word is odd
                std::vector<std::string> lines{
                    "LOP3.LUT R7, R3, 0x1, RZ, 0xc0, !PT", "ISETP.NE.AND P2, PT, R7, RZ, PT",
                    fmt::format("HSETP2{}.{}.{} P0, P1, R1, R2, P2", kind.suffix, comparison, join)};
                lines.insert(lines.end(), split.begin(), split.end());
                check_triples("sm_90", lines, kind.triples, [&](const Triple& t) {
                    const bool third = t[2] % 2 == 1;
                    const auto joined = [&](u32 a, u32 b) {
                        const bool holds = ref::compares(comparison, a, b, *kind.format);
                        return join == "AND"  ? holds && third
                               : join == "OR" ? holds || third
                                              : holds != third;
                    };
                    const u32 lower = joined(t[0] & 0xffffU, t[1] & 0xffffU) ? 1 : 0;
                    const u32 upper = joined(t[0] >> 16, t[1] >> 16) ? 2 : 0;
                    return lower | upper;
                });
            }
        }
    }
}

TEST_CASE("comparisons of single halves, and those before Volta") {
    const auto is_below = [](const std::string& arch, const std::string& line, u32 a, u32 b) {
        return run_lines(arch, {fmt::format("MOV32I R1, {:#x}", a), fmt::format("MOV32I R2, {:#x}", b), line,
                                "SEL R4, RZ, 0x1, !P0"})[0] == 1;
    };
    CHECK(is_below("sm_60", "HSETP2.LT.AND P0, PT, R1.H0_H0, R2.H1_H1, PT", 0xbc00, 0x00010000));
    CHECK_FALSE(is_below("sm_60", "HSETP2.LT.FTZ.AND P0, PT, R1.H0_H0, R2.H1_H1, PT", 0x8001, 0x00010000));
    CHECK_FALSE(is_below("sm_53", "HSETP2.LT.AND P0, PT, R1.H0_H0, R2.H1_H1, !PT", 0xbc00, 0x00010000));
    CHECK(is_below("sm_62", "HSETP2.NEU.OR P0, PT, |R1|.H0_H0, R2.H0_H0, !PT", 0x7fff, 0x3c00));
    CHECK(run_lines("sm_53", {"MOV32I R1, 0x3c008001", "HSET2.BF.EQ.FTZ.AND R4, R1, RZ.H0_H0, PT"})[0] ==
          0x3c00);
}

TEST_CASE("sums and products of pairs of halves, rounded once") {
    for (const auto& kind : kinds()) {
        const auto& format = *kind.format;
        check_triples(
            "sm_90", {fmt::format("HADD2{} R4, R1, R2", kind.suffix)}, kind.triples, [&](const Triple& t) {
                return by_halves([&](u32 a, u32 b, u32) { return ref::sum(a, b, format); }, t[0], t[1]);
            });
        check_triples(
            "sm_90", {fmt::format("HMUL2{} R4, R1, R2", kind.suffix)}, kind.triples, [&](const Triple& t) {
                return by_halves([&](u32 a, u32 b, u32) { return ref::product(a, b, format); }, t[0], t[1]);
            });
        for (const bool relu : {false, true}) {
            const auto line = fmt::format("HFMA2{}{} R4, R1, R2, R3", kind.suffix, relu ? ".RELU" : "");
            check_triples("sm_90", {line}, kind.triples, [&](const Triple& t) {
                return by_halves(
                    [&](u32 a, u32 b, u32 c) {
                        const u32 sum = ref::fused(a, b, c, format);
                        return relu ? ref::rectified(sum, format) : sum;
                    },
                    t[0], t[1], t[2]);
            });
        }
    }
}

TEST_CASE("a product of halves and its sum are rounded together") {
    // 2^-11 (1 - 2^-20) to and from 1 + 2^-10: just not the middle, which a float in between would be
    const std::vector<Triple> triples{{0x10011001, 0x3bfe3bfe, 0x3c01bc01}};
    CHECK(run_triples("sm_90", {"HFMA2 R4, R1, R2, R3"}, triples)[0] == 0x3c01bc01);
    CHECK(run_triples("sm_90", {"HFMA2 R4, R1, R2, -R3"}, triples)[0] == 0xbc013c01);
}

TEST_CASE("sums and products of halves between 0 and 1, and without subnormal numbers") {
    for (const bool flushes : {false, true}) {
        for (const std::string last : {"", ".SAT", ".RELU"}) {
            const auto in = [&](u32 a) { return flushes ? ref::flushed(a, ref::half) : a; };
            // subnormal if exponents had no end, as an H200 takes it
            const auto out = [&](u32 x, u32 y, u32 z) {
                const u32 a = in(x), b = in(y), c = in(z);
                u32 bits = ref::fused(a, b, c, ref::half);
                if (flushes && !ref::is_nan(bits, ref::half)) {
                    const auto exact = ref::value_of(a, ref::half) * ref::value_of(b, ref::half) +
                                       ref::value_of(c, ref::half);
                    bits = std::fabs(exact) < 0x1p-14L * (1 - 0x1p-12L) ? bits & sign : bits;
                }
                return last == ".SAT"    ? ref::saturated(bits, ref::half)
                       : last == ".RELU" ? ref::rectified(bits, ref::half)
                                         : bits;
            };
            const auto modifiers = (flushes ? ".FTZ" : "") + last;
            check_triples("sm_80", {"HFMA2.MMA" + modifiers + " R4, R1, R2, R3"}, half_triples(),
                          [&](const Triple& t) { return by_halves(out, t[0], t[1], t[2]); });
            if (last == ".RELU") {
                continue;
            }
            check_triples(
                "sm_80", {"HADD2" + modifiers + " R4, R1, -R2"}, half_triples(), [&](const Triple& t) {
                    return by_halves([&](u32 a, u32 b, u32) { return out(a, ref::half.one, b ^ sign); }, t[0],
                                     t[1]);
                });
            check_triples(
                "sm_80", {"HMUL2" + modifiers + " R4, R1, R2"}, half_triples(), [&](const Triple& t) {
                    return by_halves([&](u32 a, u32 b, u32) { return out(a, b, sign); }, t[0], t[1]);
                });
        }
    }
}

TEST_CASE("halves from and to floats by HADD2") {
    check_triples("sm_90", {"HADD2.F32.SAT R4, -RZ, R1.H1_H1"}, half_triples(), [](const Triple& t) {
        const auto value = ref::is_nan(t[0] >> 16, ref::half) ? 0 : ref::value_of(t[0] >> 16, ref::half);
        return std::bit_cast<u32>(static_cast<float>(value <= 0 ? 0 : value > 1 ? 1 : value));
    });
    const auto rounded = [](u32 word) { return ref::rounded(std::bit_cast<float>(word), ref::half); };
    check_triples("sm_60", {"HADD2 R4, R1.F32, -RZ.H0_H0", "LOP32I.AND R4, R4, 0xffff"}, bfloat_triples(),
                  [&](const Triple& t) { return rounded(t[0]); });
    check_triples("sm_60", {"HADD2.SAT R4, R1.F32, -RZ.H0_H0", "LOP32I.AND R4, R4, 0xffff"}, bfloat_triples(),
                  [&](const Triple& t) { return ref::saturated(rounded(t[0]), ref::half); });
}

TEST_CASE("forms of instructions on halves whose meaning nobody says are refused by name") {
    for (const auto* line :
         {"HFMA2.OOB R4, R1, R2, R3", "HFMA2.BF16_V2.SAT R4, R1, R2, R3", "HMNMX2.XORSIGN R4, R1, |R2|, PT",
          "HMNMX2.XORSIGN R4, -|R1|, |R2|, PT", "HMNMX2.BF16_V2.FTZ R4, R1, R2, PT",
          "HADD2.FTZ.F32 R4, -RZ, R1", "VHMNMX.FTZ R4, R1, R2, R3, PT", "HSET2.H_AND.EQ.AND R4, R1, R2, PT",
          "HMNMX2 R4, R1.B1, R2, PT", "FMNMX.XORSIGN R4, R1, |R2|, PT", "HADD2 R4, R1, 1"}) {
        INFO(line);
        CHECK_THROWS_WITH(run_lines("sm_90", {"MOV R1, R0", "MOV R2, R0", "MOV R3, R0", line}),
                          Catch::Contains("is not emulated"));
    }
}

}  // namespace half_test
