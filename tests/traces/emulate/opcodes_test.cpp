// Single instructions against the same in C++, on operands that differ in all lanes.
#include <algorithm>
#include <bit>
#include <catch2/catch.hpp>
#include <cmath>
#include <random>

#include "tests/traces/emulate/opcode_runner.h"

using u32 = std::uint32_t;
using i32 = std::int32_t;
using u64 = std::uint64_t;
using i64 = std::int64_t;

namespace {

// R1, R2, R3 of every lane: the lane's number through multiplications, with odd constants from words.
constexpr u32 k1 = 0x9e3779b9U, k2 = 0x85ebca6bU, k3 = 0xc2b2ae35U;
struct Operands {
    u32 a, b, c;
};
Operands operands(u32 lane) {
    return {lane * k1 + 7, lane * k2 + 0x80000000U, lane * k3 + 1};
}

std::vector<std::string> with_operands(const std::string& arch, const std::string& line) {
    if (arch == "sm_35" || arch == "sm_50") {
        return {"MOV32I R1, 0x7",       "MOV32I R2, 0x80000000",
                "MOV32I R3, 0x1",       "MOV32I R10, 0x9e3779b9",
                "IMAD R1, R0, R10, R1", "MOV32I R10, 0x85ebca6b",
                "IMAD R2, R0, R10, R2", "MOV32I R10, 0xc2b2ae35",
                "IMAD R3, R0, R10, R3", line};
    }
    return {"MOV R1, 0x7",
            "MOV R2, 0x80000000",
            "MOV R3, 0x1",
            "IMAD R1, R0, 0x9e3779b9, R1",
            "IMAD R2, R0, 0x85ebca6b, R2",
            "IMAD R3, R0, 0xc2b2ae35, R3",
            line};
}

using Expected = u32 (*)(u32 lane, u32 a, u32 b, u32 c);

void check_all(const std::string& arch, const std::string& line, Expected expected,
               const std::vector<std::string>& after = {}) {
    INFO(arch << " " << line);
    auto lines = with_operands(arch, line);
    lines.insert(lines.end(), after.begin(), after.end());
    const auto values = run_lines(arch, lines);
    for (u32 lane = 0; lane < 32; ++lane) {
        const auto o = operands(lane);
        INFO("lane " << lane);
        CHECK(values[lane] == expected(lane, o.a, o.b, o.c));
    }
}

i32 s(u32 x) {
    return static_cast<i32>(x);
}
u32 high(u64 x) {
    return static_cast<u32>(x >> 32);
}

}  // namespace

TEST_CASE("integer sums and products of Volta and later") {
    const std::string arch = "sm_80";
    check_all(arch, "IADD3 R4, R1, -R2, R3", [](u32, u32 a, u32 b, u32 c) { return a - b + c; });
    check_all(arch, "IMAD R4, -R1, R2, R3", [](u32, u32 a, u32 b, u32 c) { return c - a * b; });
    check_all(arch, "IMAD.IADD R4, R1, 0x1, -R2", [](u32, u32 a, u32 b, u32) { return a - b; });
    check_all(arch, "LEA R4, R1, R2, 0x5", [](u32, u32 a, u32 b, u32) { return (a << 5) + b; });
    check_all(arch, "LEA.HI R4, R1, R2, R3, 0x5",
              [](u32, u32 a, u32 b, u32 c) { return high((u64{c} << 32 | a) << 5) + b; });
    check_all(arch, "LEA.HI.SX32 R4, R1, R2, 0x3",
              [](u32, u32 a, u32 b, u32) { return high(static_cast<u64>(i64{s(a)}) << 3) + b; });
    check_all(arch, "IABS R4, R1", [](u32, u32 a, u32, u32) { return static_cast<u32>(std::abs(s(a))); });
    check_all(arch, "IMNMX R4, R1, R2, PT", [](u32, u32 a, u32 b, u32) { return s(a) < s(b) ? a : b; });
    check_all(arch, "IMNMX.U32 R4, R1, R2, !PT", [](u32, u32 a, u32 b, u32) { return std::max(a, b); });
    check_all("sm_90", "VIADD R4, R1, 0xffffffff", [](u32, u32 a, u32, u32) { return a - 1; });
    check_all(arch, "IMAD.WIDE R4, R1, R2, R2", [](u32, u32 a, u32 b, u32) { return a * b + b; });
    // pair R2:R3 as the third source
    check_all(arch, "IMAD.HI R4, R1, R2, R2", [](u32, u32 a, u32 b, u32 c) {
        return high(static_cast<u64>(i64{s(a)} * s(b)) + (u64{c} << 32 | b));
    });
    check_all(arch, "IMAD.WIDE.U32 R4, R1, R2, R2",
              [](u32, u32 a, u32 b, u32 c) { return high(u64{a} * b + (u64{c} << 32 | b)); }, {"MOV R4, R5"});
}

TEST_CASE("carries run through predicates, also of negated zeros") {
    check_all("sm_70", "IADD3 R4, P0, R1, -R2, RZ",
              [](u32, u32 a, u32 b, u32 c) { return high((u64{c} << 32 | a) - (u64{a} << 32 | b)); },
              {"IADD3.X R4, R3, ~R1, RZ, P0, !PT"});
    check_all("sm_70", "IADD3 R4, P0, R1, -RZ, RZ", [](u32, u32, u32, u32) { return 1U; },
              {"SEL R4, RZ, 0x1, !P0"});
    check_all("sm_80", "IADD3 R4, P1, P2, R1, R2, R3",
              [](u32, u32 a, u32 b, u32 c) { return high(u64{a} + b + c); },
              {"SEL R4, RZ, 0x1, !P1", "@P2 IADD3 R4, R4, 0x1, RZ"});
    check_all("sm_80", "LEA R4, P0, R1, R2, 0x2",
              [](u32, u32 a, u32 b, u32 c) { return high(((u64{c} << 32 | a) << 2) + (u64{a} << 32 | b)); },
              {"LEA.HI.X R4, R1, R1, R3, 0x2, P0"});
    check_all("sm_80", "IADD3 R4, P0, R1, R2, RZ",
              [](u32, u32 a, u32 b, u32 c) { return a * 3 + c + high(u64{a} + b); },
              {"IMAD.X R4, R1, 0x3, R3, P0"});
}

TEST_CASE("Kepler's condition code carries sums, products and comparisons") {
    const std::string arch = "sm_35";
    const auto sub = [](u32, u32 a, u32 b, u32 c) { return high((u64{c} << 32 | a) - (u64{a} << 32 | b)); };
    check_all(arch, "ISUB R4.CC, R1, R2", sub, {"ISUB.X R4, R3, R1"});
    check_all(arch, "IADD R4.CC, R1, -R2", sub, {"IADD.X R4, R3, -R1"});
    check_all(arch, "ISCADD R4.CC, R1, R2, 0x2",
              [](u32, u32 a, u32 b, u32 c) {
                  return high((static_cast<u64>(i64{s(a)} << 2)) + (u64{c} << 32 | b));
              },
              {"MOV32I R5, 0x4", "IMAD.HI.X R4, R1, R5, R3"});
    check_all(arch, "ISUB R4.CC, R1, R2",
              [](u32, u32 a, u32 b, u32 c) {
                  return static_cast<i64>(u64{c} << 32 | a) >= static_cast<i64>(u64{a} << 32 | b) ? 1U : 0U;
              },
              {"ISETP.GE.X.AND P0, PT, R3, R1, PT", "SEL R4, RZ, 0x1, !P0"});
    check_all(arch, "ISUB RZ.CC, R1, R1", [](u32 lane, u32, u32, u32) { return lane % 2 == 0 ? 1U : 0U; },
              {"LOP32I.AND R5, R0, 0x1", "ISETP.EQ.X.AND P0, PT, R5, RZ, PT", "SEL R4, RZ, 0x1, !P0"});
    check_all(arch, "IMAD.U32.U32.HI R4, R1, R2, R3",
              [](u32, u32 a, u32 b, u32 c) { return high(u64{a} * b) + c; });
    check_all(arch, "IMUL.HI R4, R1, R2",
              [](u32, u32 a, u32 b, u32) { return high(static_cast<u64>(i64{s(a)} * s(b))); });
    check_all(arch, "ICMP.LT R4, R1, R2, R3", [](u32, u32 a, u32 b, u32 c) { return s(c) < 0 ? a : b; });
    check_all(arch, "SHF.R R4, R1, 0x9, R2",
              [](u32, u32 a, u32 b, u32) { return static_cast<u32>((u64{b} << 32 | a) >> 9); });
    check_all(arch, "SHF.L R4, R1, 0x9, R2",
              [](u32, u32 a, u32 b, u32) { return high((u64{b} << 32 | a) << 9); });
    check_all(arch, "BFE R4, R1, 0x0905",
              [](u32, u32 a, u32, u32) { return static_cast<u32>(s(a << (32 - 14)) >> (32 - 9)); });
    check_all(arch, "BFI R4, R1, 0x0905, R2",
              [](u32, u32 a, u32 b, u32) { return (b & ~(0x1ffU << 5)) | ((a & 0x1ffU) << 5); });
    check_all(arch, "POPC R4, R1, R2",
              [](u32, u32 a, u32 b, u32) { return static_cast<u32>(std::popcount(a & b)); });
    check_all(arch, "LOP.PASS_B R4, RZ, ~R2", [](u32, u32, u32 b, u32) { return ~b; });
}

TEST_CASE("logic, shifts and bits") {
    const std::string arch = "sm_80";
    check_all(arch, "LOP3.LUT R4, R1, R2, R3, 0x96, !PT", [](u32, u32 a, u32 b, u32 c) { return a ^ b ^ c; });
    check_all(arch, "LOP3.LUT R4, R1, R2, R3, 0xe8, !PT",
              [](u32, u32 a, u32 b, u32 c) { return (a & b) | (a & c) | (b & c); });
    check_all(arch, "LOP3.LUT R4, R1, R2, R3, 0xf8, !PT",
              [](u32, u32 a, u32 b, u32 c) { return a | (b & c); });
    check_all(arch, "LOP3.LUT P0, RZ, R1, 0x3, RZ, 0xc0, !PT",
              [](u32, u32 a, u32, u32) { return (a & 3) != 0 ? 1U : 0U; }, {"SEL R4, RZ, 0x1, !P0"});
    check_all(arch, "SHF.L.U32 R4, R1, R0, RZ", [](u32 lane, u32 a, u32, u32) { return a << lane; });
    check_all(arch, "SHF.R.S32.HI R4, RZ, 0x1f, R1",
              [](u32, u32 a, u32, u32) { return s(a) < 0 ? ~0U : 0U; });
    check_all(arch, "SHF.R.U32.HI R4, RZ, R0, R1", [](u32 lane, u32 a, u32, u32) { return a >> lane; });
    check_all(arch, "SHF.L.U64.HI R4, R1, 0xb, R2",
              [](u32, u32 a, u32 b, u32) { return high((u64{b} << 32 | a) << 11); });
    check_all(arch, "SHF.R.U64 R4, R1, 0xb, R2",
              [](u32, u32 a, u32 b, u32) { return static_cast<u32>((u64{b} << 32 | a) >> 11); });
    check_all(arch, "SHF.L.W.U32.HI R4, R1, 0x7, R1", [](u32, u32 a, u32, u32) { return std::rotl(a, 7); });
    check_all(arch, "PRMT R4, R1, 0x7531, R2", [](u32, u32 a, u32 b, u32) {
        const auto byte = [&](u32 k) { return (k < 4 ? a >> (8 * k) : b >> (8 * (k - 4))) & 0xffU; };
        return byte(1) | byte(3) << 8 | byte(5) << 16 | byte(7) << 24;
    });
    check_all(arch, "PRMT R4, R1, 0x9910, RZ",
              [](u32, u32 a, u32, u32) { return static_cast<u32>(static_cast<std::int16_t>(a)); });
    check_all(arch, "FLO.U32 R4, R1",
              [](u32, u32 a, u32, u32) { return 31U - static_cast<u32>(std::countl_zero(a)); });
    check_all(arch, "FLO R4, R1", [](u32, u32 a, u32, u32) {
        return 31U - static_cast<u32>(std::countl_zero(s(a) < 0 ? ~a : a));
    });
    check_all(arch, "POPC R4, R1", [](u32, u32 a, u32, u32) { return static_cast<u32>(std::popcount(a)); });
    check_all(arch, "SGXT R4, R1, 0xb",
              [](u32, u32 a, u32, u32) { return static_cast<u32>(s(a << 21) >> 21); });
    check_all(arch, "BMSK R4, 0x3, 0x5", [](u32, u32, u32, u32) { return 0xf8U; });
    check_all(arch, "BREV R4, R1", [](u32, u32 a, u32, u32) {
        u32 reversed = 0;
        for (u32 i = 0; i < 32; ++i) {
            reversed |= (a >> i & 1U) << (31 - i);
        }
        return reversed;
    });
}

TEST_CASE("comparisons and predicates") {
    const std::string arch = "sm_80";
    const std::string select = "SEL R4, RZ, 0x1, !P0";
    check_all(arch, "ISETP.LT.AND P0, PT, R1, R2, PT",
              [](u32, u32 a, u32 b, u32) { return s(a) < s(b) ? 1U : 0U; }, {select});
    check_all(arch, "ISETP.GE.U32.AND P1, P0, R1, R2, PT",
              [](u32, u32 a, u32 b, u32) { return a < b ? 1U : 0U; }, {select});
    check_all(arch, "ISETP.GT.U32.AND P1, PT, R1, R2, PT",
              [](u32, u32 a, u32 b, u32 c) {
                  return static_cast<i64>(u64{c} << 32 | a) > static_cast<i64>(u64{a} << 32 | b) ? 1U : 0U;
              },
              {"ISETP.GT.AND.EX P0, PT, R3, R1, PT, P1", select});
    check_all(arch, "ISETP.NE.AND P1, PT, R0, 0x5, PT",
              [](u32 lane, u32 a, u32 b, u32) { return (lane != 5) != (s(a) > s(b)) ? 1U : 0U; },
              {"ISETP.GT.XOR P0, PT, R1, R2, P1", select});
    check_all(arch, "ISETP.GT.AND P1, PT, R0, 0x9, PT",
              [](u32 lane, u32, u32, u32) { return lane > 9 || lane < 4 ? 1U : 0U; },
              {"ISETP.LT.AND P2, PT, R0, 0x4, PT", "PLOP3.LUT P0, PT, P1, P2, PT, 0xa8, 0x0", select});
    check_all(arch, "P2R R5, PR, RZ, 0x1", [](u32 lane, u32, u32, u32) { return lane == 3 ? 8U : 0U; },
              {"ISETP.EQ.AND P3, PT, R0, 0x3, PT", "P2R R4, PR, RZ, 0x8"});
    check_all(arch, "R2P PR, R0, 0x5", [](u32 lane, u32, u32, u32) { return (lane & 4U) != 0 ? 1U : 0U; },
              {"SEL R4, RZ, 0x1, !P2"});
    check_all("sm_35", "PSETP.AND.OR P0, PT, PT, !PT, PT", [](u32, u32, u32, u32) { return 1U; }, {select});
}

TEST_CASE("lanes exchange values") {
    const std::string arch = "sm_70";
    check_all(arch, "SHFL.DOWN P0, R4, R0, 0x4, 0x1f",
              [](u32 lane, u32, u32, u32) { return lane + 4 < 32 ? lane + 4 : lane; });
    check_all(arch, "SHFL.UP P0, R4, R0, 0x4, RZ",
              [](u32 lane, u32, u32, u32) { return lane >= 4 ? lane - 4 : lane; });
    check_all(arch, "SHFL.BFLY P0, R4, R0, 0x5, 0x1f", [](u32 lane, u32, u32, u32) { return lane ^ 5U; });
    // segments of 8 lanes
    check_all(arch, "SHFL.IDX PT, R4, R0, 0x3, 0x181f",
              [](u32 lane, u32, u32, u32) { return (lane & 24U) + 3; });
    check_all(arch, "ISETP.LT.AND P1, PT, R0, 0x6, PT", [](u32, u32, u32, u32) { return 0x3fU; },
              {"VOTE.ANY R4, PT, P1"});
    check_all(arch, "LOP3.LUT R5, R0, 0x3, RZ, 0xc0, !PT",
              [](u32 lane, u32, u32, u32) { return 0x11111111U << (lane & 3U); }, {"MATCH.ANY R4, R5"});
    check_all("sm_80", "R2UR UR4, R1", [](u32, u32, u32, u32) { return 7U * 3; },
              {"UIMAD UR4, UR4, 0x3, URZ", "MOV R4, UR4"});
}

TEST_CASE("floating-point arithmetic and conversions") {
    const std::string arch = "sm_80";
    check_all(arch, "I2F R4, R1",
              [](u32, u32 a, u32, u32) { return std::bit_cast<u32>(static_cast<float>(s(a))); });
    check_all(arch, "I2F.U32.RP R4, R1", [](u32, u32 a, u32, u32) {
        auto value = static_cast<float>(a);
        if (static_cast<double>(value) < a) {
            value = std::nextafter(value, INFINITY);
        }
        return std::bit_cast<u32>(value);
    });
    check_all(arch, "I2F R5, R0",
              [](u32 lane, u32, u32, u32) {
                  return static_cast<u32>(static_cast<i32>(static_cast<float>(lane) * 1.5F - 7.0F));
              },
              {"FFMA R5, R5, 1.5, -7", "F2I.TRUNC.NTZ R4, R5"});
    check_all(
        arch, "I2F.F64 R6, R1",
        [](u32, u32 a, u32, u32) { return high(std::bit_cast<u64>(static_cast<double>(s(a)) * 0.5 + 3)); },
        {"DFMA R6, R6, 0.5, 3", "MOV R4, R7"});
    check_all(arch, "HFMA2.MMA R4, -RZ, RZ, 1.875, 5.9604644775390625e-08",
              [](u32, u32, u32, u32) { return 0x3f800001U; });
    check_all(arch, "I2F R5, R0", [](u32 lane, u32, u32, u32) { return lane < 9 ? 0x7fffffffU : 0U; },
              {"FSETP.GEU.AND P0, PT, R5, 9, PT", "SEL R4, RZ, 0x7fffffff, P0"});
    check_all("sm_35", "I2I.S32.S8 R4, R1.B1",
              [](u32, u32 a, u32, u32) { return static_cast<u32>(static_cast<std::int8_t>(a >> 8)); });
}

TEST_CASE("constants, also at an index") {
    const std::string arch = "sm_80";
    const auto values = run_lines(
        arch,
        {"LOP3.LUT R1, R0, 0x3, RZ, 0xc0, !PT", "IMAD.SHL.U32 R1, R1, 0x4, RZ", "LDC R4, c[0x0][R1+0x168]"},
        {11, 22, 33, 44});
    for (u32 lane = 0; lane < 32; ++lane) {
        CHECK(values[lane] == 11 * ((lane & 3U) + 1));
    }
    CHECK(run_lines("sm_90", {"ULDC.64 UR4, c[0x0][0x218]", "MOV R4, UR5"}, {1, 77})[9] == 77);
    CHECK(run_lines("sm_35", {"MOV R4, " + word("sm_35", 1)}, {1, 78})[9] == 78);
}

TEST_CASE("reductions over a warp, video minima and comparisons to registers") {
    const std::string arch = "sm_80";
    // 0 ... 31
    check_all(arch, "REDUX.SUM UR4, R0", [](u32, u32, u32, u32) { return 31U * 16; }, {"MOV R4, UR4"});
    check_all(arch, "REDUX.XOR UR4, R0", [](u32, u32, u32, u32) { return 0U; }, {"MOV R4, UR4"});
    check_all(arch, "IADD3 R5, R0, -0x10, RZ", [](u32, u32, u32, u32) { return 15U; },
              {"REDUX.MAX.S32 UR4, R5", "MOV R4, UR4"});
    check_all(arch, "IADD3 R5, R0, -0x10, RZ", [](u32, u32, u32, u32) { return 0xffffffffU; },
              {"REDUX.MAX UR4, R5", "MOV R4, UR4"});
    check_all(arch, "IADD3 R5, R0, -0x10, RZ", [](u32, u32, u32, u32) { return 0U - 16; },
              {"REDUX.MIN.S32 UR4, R5", "MOV R4, UR4"});
    check_all(arch, "ISETP.GE.AND P0, PT, R0, 0x6, PT", [](u32, u32, u32, u32) { return 6U | 7U | 8U | 16U; },
              {"@P0 REDUX.OR UR4, R0", "MOV R4, UR4"});
    check_all("sm_35", "VMNMX.MX.MAX R4, R1, R2, R3", [](u32, u32 a, u32 b, u32 c) {
        return static_cast<u32>(std::max({s(a), s(b), s(c)}));
    });
    check_all("sm_35", "VMNMX.MIN R4, R1, R2, R3", [](u32, u32 a, u32 b, u32 c) {
        return static_cast<u32>(std::min({s(a), s(b), s(c)}));
    });
    check_all("sm_35", "I2F.F64.S32 R6, R0",
              [](u32 lane, u32, u32, u32) { return lane < 9 ? 0xffffffffU : 0U; },
              {"DSET.LT.AND R4, R6, 9, PT"});
}

TEST_CASE("compare-and-test says whether it stored, in a register or a predicate") {
    // even lanes expect what stands there; odd ones another upper word of a pair, another word
    for (const auto& [wide, said] : {std::pair{false, "R4"}, {true, "R4"}, {false, "P1"}, {true, "P1"}}) {
        const std::string arch = said[0] == 'P' ? "sm_100" : "sm_90", size = wide ? ".64" : "";
        std::vector<std::string> lines{"IMAD R16, R0, 0x8, 0x400",
                                       "MOV R6, 0x3",
                                       "MOV R7, R0",
                                       "STS.64 [R16], R6",
                                       "MOV R8, 0x3",
                                       "MOV R9, R0",
                                       "LOP3.LUT R10, R0, 0x1, RZ, 0xc0, !PT"};
        lines.push_back(std::string("IADD3 ") + (wide ? "R9, R9" : "R8, R8") + ", R10, RZ");
        lines.insert(lines.end(), {"IADD3 R12, R0, 0x64, RZ", "MOV R13, R12", "MOV R4, 0x5"});
        lines.push_back("ATOMS.CAST.SPIN" + size + " " + said + ", [R16], R8, R12");
        if (said[0] == 'P') {
            lines.push_back("SEL R4, RZ, 0x1, !P1");
        }
        auto stored = lines;
        stored.insert(stored.end(), {wide ? "LDS R4, [R16+0x4]" : "LDS R4, [R16]"});
        INFO(arch << " " << lines.back());
        const auto results = run_lines(arch, lines), words = run_lines(arch, stored);
        for (u32 lane = 0; lane < 32; ++lane) {
            INFO("lane " << lane);
            // the other sixteen name the banks of the first: they would come again (test_general,
            // shared_swaps)
            const bool stores = lane % 2 == 0 && lane < 16;
            CHECK(results[lane] == (stores ? 1U : 0U));
            CHECK(words[lane] == (stores ? lane + 100 : wide ? lane : 3U));
        }
    }
}
