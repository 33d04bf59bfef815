// Instructions on register pairs, and what else sm_100 and sm_120 add, against the same in C++.
#include <fmt/format.h>

#include <bit>
#include <catch2/catch.hpp>
#include <cmath>

#include "tests/traces/emulate/opcode_runner.h"

namespace {

using u32 = std::uint32_t;
using u64 = std::uint64_t;
using i64 = std::int64_t;

const std::string arch = "sm_120";

const std::vector<u64> numbers{0,
                               1,
                               0xffffffff,
                               0x100000000,
                               0x123456789abcdef0,
                               0x7fffffffffffffff,
                               0x8000000000000000,
                               0xffffffff00000000,
                               0xffffffffffffffff};

// R6 and R8 as pairs, UR6 and UR8 likewise; the pair in R4 after the lines, in lane 0.
u64 pair_of(const std::vector<std::string>& lines, u64 a, u64 b) {
    std::vector<std::string> all;
    const auto set = [&](int reg, u64 value) {
        for (const int part : {0, 1}) {
            const auto word = static_cast<u32>(value >> (32 * part));
            all.push_back(fmt::format("MOV R{}, {:#x}", reg + part, word));
            all.push_back(fmt::format("UMOV UR{}, {:#x}", reg + part, word));
        }
    };
    set(6, a);
    set(8, b);
    all.insert(all.end(), lines.begin(), lines.end());
    const u64 low = run_lines(arch, all)[0];
    all.emplace_back("MOV R4, R5");
    return u64{run_lines(arch, all)[0]} << 32 | low;
}

bool below(u64 a, u64 b) {
    return static_cast<i64>(a) < static_cast<i64>(b);
}

}  // namespace

TEST_CASE("sums of pairs, with carries") {
    for (const u64 a : numbers) {
        for (const u64 b : numbers) {
            INFO(a << " " << b);
            CHECK(pair_of({"IADD.64 R4, R6, R8"}, a, b) == a + b);
            CHECK(pair_of({"IADD.64 R4, R6, -R8"}, a, b) == a - b);
            CHECK(pair_of({"IADD.64 R4, R6, UR8"}, a, b) == a + b);
            CHECK(pair_of({"IADD.64 R4, R6, -0x40"}, a, b) == a - 0x40);
            CHECK(pair_of({"UIADD3.64 UR4, UPT, UPT, UR6, UR8, URZ", "MOV.64 R4, UR4"}, a, b) == a + b);
            const u64 carry = a + b < a ? 1 : 0;
            CHECK(pair_of({"IADD.64 RZ, P0, R6, R8", "SEL R4, RZ, 0x1, !P0", "MOV R5, RZ"}, a, b) == carry);
            CHECK(pair_of({"UIADD3.64 URZ, UP0, UPT, UR6, UR8, URZ",
                           "UIADD3.64.X UR4, UPT, UPT, UR6, UR8, URZ, UP0, !UPT", "MOV.64 R4, UR4"},
                          a, b) == a + b + carry);
        }
    }
}

TEST_CASE("comparisons and choices of pairs") {
    const auto flag = [](const std::string& comparison, u64 a, u64 b) {
        return pair_of({comparison + " P0, PT, R6, R8, PT", "SEL.64 R4, R6, R8, P0"}, a, b);
    };
    for (const u64 a : numbers) {
        for (const u64 b : numbers) {
            INFO(a << " " << b);
            CHECK(flag("ISETP.GE.S64.AND", a, b) == (below(a, b) ? b : a));
            CHECK(flag("ISETP.LT.U64.AND", a, b) == (a < b ? a : b));
            CHECK(flag("ISETP.EQ.U64.AND", a, b) == (a == b ? a : b));
            CHECK(pair_of({"IMNMX.S64 PT, PT, R4, R6, R8, PT, !PT"}, a, b) == (below(a, b) ? a : b));
            CHECK(pair_of({"IMNMX.U64 PT, PT, R4, R6, UR8, !PT, !PT"}, a, b) == std::max(a, b));
            CHECK(pair_of({"UISETP.GT.S64.AND UP0, UPT, UR6, UR8, UPT", "USEL UR4, UR6, UR8, UP0",
                           "MOV R4, UR4", "MOV R5, RZ"},
                          a, b) == ((below(b, a) ? a : b) & 0xffffffff));
        }
    }
}

TEST_CASE("immediates of 64 bits and registers past UR62") {
    CHECK(pair_of({"UMOV.64 UR4, 0x10000000000000", "MOV.64 R4, UR4"}, 0, 0) == 0x10000000000000);
    CHECK(pair_of({"UMOV.64 UR76, UR6", "IADD.64 R4, R8, UR76"}, 5, 7) == 12);
    CHECK(pair_of({"SEL.64 R4, R6, -0x1, !PT"}, 5, 7) == 0xffffffffffffffff);
}

TEST_CASE("constants through uniform registers, at an index too") {
    CHECK(run_lines(arch, {"LDCU UR4, c[0x0][0x388]", "MOV R4, UR4"}, {11, 22, 33})[3] == 11);
    CHECK(run_lines(arch, {"LDCU.64 UR4, c[0x0][0x388]", "MOV R4, UR5"}, {11, 22, 33})[3] == 22);
    CHECK(run_lines(arch, {"UMOV UR6, 0x8", "LDCU UR4, c[0x0][UR6+0x388]", "MOV R4, UR4"}, {11, 22, 33})[3] ==
          33);
    CHECK(run_lines(arch, {"MOV R4, c[0x0][0x360]"})[3] == 32);  // blockDim.x
}

TEST_CASE("the return address' register holds what is put there") {
    CHECK(pair_of({"RPCMOV.32 Rpc.LO, R6", "RPCMOV.32 Rpc.HI, R8", "MOV R6, RZ", "RPCMOV.32 R4, Rpc.LO",
                   "RPCMOV.32 R5, Rpc.HI"},
                  5, 7) == (u64{7} << 32 | 5));
}

TEST_CASE("floating point of uniform registers, minima of three") {
    const auto bits = [](float x) { return std::bit_cast<u32>(x); };
    const auto moved = [&](const std::string& line, float a, float b) {
        return static_cast<u32>(pair_of({line, "MOV R4, UR4"}, bits(a), bits(b)));
    };
    CHECK(moved("UFMUL UR4, UR6, UR8", 1.5F, -3) == bits(-4.5F));
    CHECK(moved("UFADD UR4, UR6, -UR8", 1.5F, -3) == bits(4.5F));
    CHECK(moved("UFFMA UR4, UR6, UR8, UR6", 1.5F, -3) == bits(-3));
    CHECK(moved("UFRND.FLOOR UR4, UR6", -1.5F, 0) == bits(-2));
    CHECK(moved("UI2FP.F32.S32 UR4, UR6", std::bit_cast<float>(u32{7}), 0) == bits(7));
    CHECK(moved("UF2I.U32.TRUNC.NTZ UR4, UR6", 9.75F, 0) == 9);
    CHECK(pair_of({"FMNMX3 R4, R6, |R8|, 2, !PT", "MOV R5, RZ"}, bits(1), bits(-5)) == bits(5));
    CHECK(pair_of({"FMNMX3 R4, R6, R8, 2, PT", "MOV R5, RZ"}, bits(1), bits(-5)) == bits(-5));
    CHECK(pair_of({"CREDUX.MAX.S32 UR4, R0", "MOV R4, UR4", "MOV R5, RZ"}, 0, 0) == 31);
    CHECK(pair_of({"UVIMNMX.S32 UR4, UR6, UR8, UPT", "MOV R4, UR4", "MOV R5, RZ"}, 3, 0xfffffffe) ==
          0xfffffffe);
}
