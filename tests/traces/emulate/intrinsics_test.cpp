// Instructions behind CUDA's intrinsics against what the CUDA and PTX manuals say they compute, done here
// anew.
#include <algorithm>
#include <bit>
#include <catch2/catch.hpp>
#include <cmath>
#include <cstring>
#include <limits>

#include "tests/traces/emulate/opcode_runner.h"

namespace intrinsics_test {

namespace {

using u32 = std::uint32_t;
using i32 = std::int32_t;

const std::vector<u32> words{0,          1,          2,          0x7f,       0x80,
                             0xff,       0x8000,     0x12345678, 0x7fffffff, 0x80000000,
                             0x80000001, 0xfffffffe, 0xffffffff, 0xdeadbeef};

// The result of one line with R1, R2, R3 = the words, in lane 0.
u32 result_of(const std::string& arch, const std::string& line, u32 a, u32 b, u32 c = 0) {
    const auto hexadecimal = [](u32 value) {
        char text[16];
        std::snprintf(text, sizeof text, "0x%x", value);
        return std::string(text);
    };
    return run_lines(arch, {"MOV R1, " + hexadecimal(a), "MOV R2, " + hexadecimal(b),
                            "MOV R3, " + hexadecimal(c), line})[0];
}

u32 bits(float value) {
    return std::bit_cast<u32>(value);
}
float number(u32 value) {
    return std::bit_cast<float>(value);
}

// A sum or product of floats is exact in a double here (exponents that are close); the neighbour on the asked
// side of it.
u32 directed(double exact, bool up) {
    auto nearest = static_cast<float>(exact);
    if (up && nearest < exact) {
        nearest = std::nextafter(nearest, std::numeric_limits<float>::infinity());
    } else if (!up && nearest > exact) {
        nearest = std::nextafter(nearest, -std::numeric_limits<float>::infinity());
    }
    return bits(nearest);
}

}  // namespace

TEST_CASE("__viaddmin and __viaddmax: the sum wraps, then the choice") {
    for (const u32 a : words) {
        for (const u32 b : words) {
            const u32 c = 0x12345678;
            const u32 sum = a + b;
            const auto s = static_cast<i32>(sum);
            const auto t = static_cast<i32>(c);
            INFO(a << " " << b);
            CHECK(result_of("sm_90", "VIADDMNMX R4, R1, R2, R3, PT", a, b, c) ==
                  static_cast<u32>(std::min(s, t)));
            CHECK(result_of("sm_90", "VIADDMNMX R4, R1, R2, R3, !PT", a, b, c) ==
                  static_cast<u32>(std::max(s, t)));
            CHECK(result_of("sm_90", "VIADDMNMX.U32 R4, R1, R2, R3, PT", a, b, c) == std::min(sum, c));
            CHECK(result_of("sm_90", "VIADDMNMX.RELU R4, R1, R2, R3, PT", a, b, c) ==
                  static_cast<u32>(std::max(std::min(s, t), 0)));
        }
    }
}

TEST_CASE("__vimin3, __vimax3 and pairs of halves") {
    const auto half = [](u32 w, int k) { return static_cast<std::int16_t>(w >> (16 * k)); };
    const auto pair = [](int low, int high) {
        return (static_cast<u32>(high) << 16) | (static_cast<u32>(low) & 0xffffU);
    };
    const u32 c = 0xff800010;
    for (const u32 a : words) {
        for (const u32 b : words) {
            INFO(a << " " << b);
            const auto x = static_cast<i32>(a), y = static_cast<i32>(b), z = static_cast<i32>(c);
            CHECK(result_of("sm_90", "VIMNMX3 R4, R1, R2, R3, PT", a, b, c) ==
                  static_cast<u32>(std::min({x, y, z})));
            CHECK(result_of("sm_90", "VIMNMX3.U32 R4, R1, R2, R3, !PT", a, b, c) == std::max({a, b, c}));
            CHECK(result_of("sm_90", "VIMNMX.S16x2 R4, R1, R2, !PT", a, b) ==
                  pair(std::max(half(a, 0), half(b, 0)), std::max(half(a, 1), half(b, 1))));
            CHECK(result_of("sm_90", "VIMNMX.U16x2 R4, R1, R2, PT", a, b) ==
                  pair(static_cast<int>(std::min(a & 0xffffU, b & 0xffffU)),
                       static_cast<int>(std::min(a >> 16, b >> 16))));
            const auto sum = [&](int k) { return static_cast<std::int16_t>(half(a, k) + half(b, k)); };
            CHECK(result_of("sm_90", "VIADD.16x2 R4, R1, R2", a, b) == pair(sum(0), sum(1)));
            CHECK(result_of("sm_90", "VIADDMNMX.S16x2.RELU R4, R1, R2, R3, !PT", a, b, c) ==
                  pair(std::max({int{sum(0)}, int{half(c, 0)}, 0}),
                       std::max({int{sum(1)}, int{half(c, 1)}, 0})));
        }
    }
}

TEST_CASE("__dp4a and __dp2a") {
    const auto byte = [](u32 w, int k, bool is_signed) {
        const auto b = static_cast<unsigned char>(w >> (8 * k));
        return is_signed ? static_cast<int>(static_cast<signed char>(b)) : static_cast<int>(b);
    };
    const auto half = [](u32 w, int k, bool is_signed) {
        const auto h = static_cast<unsigned short>(w >> (16 * k));
        return is_signed ? static_cast<std::int64_t>(static_cast<short>(h)) : static_cast<std::int64_t>(h);
    };
    for (const u32 a : words) {
        for (const u32 b : words) {
            for (const auto& [types, sa, sb] : {std::tuple{"S8.S8", true, true},
                                                {"U8.U8", false, false},
                                                {"U8.S8", false, true},
                                                {"S8.U8", true, false}}) {
                std::int64_t four = 100;
                for (int k = 0; k < 4; ++k) {
                    four += byte(a, k, sa) * byte(b, k, sb);
                }
                CHECK(result_of("sm_80", std::string("IDP.4A.") + types + " R4, R1, R2, R3", a, b, 100) ==
                      static_cast<u32>(four));
            }
            for (const bool high : {false, true}) {
                std::int64_t two = -7;
                for (int k = 0; k < 2; ++k) {
                    two += half(a, k, true) * byte(b, k + (high ? 2 : 0), false);
                }
                CHECK(result_of("sm_80",
                                std::string("IDP.2A.") + (high ? "HI" : "LO") + ".S16.U8 R4, R1, R2, R3", a,
                                b, static_cast<u32>(-7)) == static_cast<u32>(two));
            }
        }
    }
}

TEST_CASE("prmt's modes by the manual's table of bytes") {
    // bytes b7 ... b0; a = b3 b2 b1 b0, c = b7 b6 b5 b4
    const u32 a = 0x33221100, c = 0x77665544;
    const std::vector<std::pair<std::string, std::vector<u32>>> modes{
        {"F4E", {0x33221100, 0x44332211, 0x55443322, 0x66554433}},
        {"B4E", {0x55667700, 0x66770011, 0x77001122, 0x00112233}},
        {"RC8", {0x00000000, 0x11111111, 0x22222222, 0x33333333}},
        {"ECL", {0x33221100, 0x33221111, 0x33222222, 0x33333333}},
        {"ECR", {0x00000000, 0x11111100, 0x22221100, 0x33221100}},
        {"RC16", {0x11001100, 0x33223322, 0x11001100, 0x33223322}}};
    for (const auto& [mode, results] : modes) {
        for (u32 selector = 0; selector < 4; ++selector) {
            INFO(mode << " " << selector);
            CHECK(result_of("sm_80", "PRMT." + mode + " R4, R1, R2, R3", a, selector, c) ==
                  results[selector]);
        }
    }
}

TEST_CASE("__fadd, __fmul and __fmaf with directed roundings") {
    const std::vector<std::pair<float, float>> pairs{{1.0F, 0x1p-24F}, {1.0F, -0x1p-25F}, {-1.0F, 0x1p-26F},
                                                     {1.1F, 2.3F},     {-7.7F, 3.3F},     {0.1F, 0.2F}};
    for (const auto& [x, y] : pairs) {
        const double sum = double{x} + y, product = double{x} * y;
        const u32 a = bits(x), b = bits(y);
        INFO(x << " " << y);
        CHECK(result_of("sm_80", "FADD.RP R4, R1, R2", a, b) == directed(sum, true));
        CHECK(result_of("sm_80", "FADD.RM R4, R1, R2", a, b) == directed(sum, false));
        CHECK(result_of("sm_80", "FADD.RZ R4, R1, R2", a, b) == directed(sum, sum < 0));
        CHECK(result_of("sm_80", "FMUL.RP R4, R1, R2", a, b) == directed(product, true));
        CHECK(result_of("sm_80", "FMUL.RM R4, R1, R2", a, b) == directed(product, false));
        CHECK(result_of("sm_80", "FFMA.RZ R4, R1, R2, RZ", a, b) == directed(product, product < 0));
        CHECK(result_of("sm_80", "FADD R4, R1, R2", a, b) == bits(x + y));
    }
}

TEST_CASE("products times a power of two") {
    const std::vector<std::pair<std::string, float>> scales{{"D2", 0.5F}, {"D4", 0.25F}, {"D8", 0.125F},
                                                            {"M2", 2},    {"M4", 4},     {"M8", 8}};
    for (const auto& [name, scale] : scales) {
        INFO(name);
        CHECK(number(result_of("sm_80", "FMUL." + name + " R4, R1, R2", bits(1.1F), bits(-2.3F))) ==
              1.1F * -2.3F * scale);
    }
}

TEST_CASE("subnormal numbers and .FTZ") {
    const float tiny = 0x1p-140F;
    CHECK(number(result_of("sm_80", "FADD R4, R1, RZ", bits(tiny), 0)) == tiny);
    CHECK(result_of("sm_80", "FADD.FTZ R4, R1, RZ", bits(tiny), 0) == 0);
    CHECK(result_of("sm_80", "FMUL.FTZ R4, R1, R2", bits(-0x1p-70F), bits(0x1p-70F)) == 0x80000000);
    const std::string choose = "SEL R4, R2, RZ, P0";
    const auto compares = [&](const std::string& comparison) {
        return run_lines("sm_80", {"MOV R1, 0x1", "MOV R2, 0x7", comparison, choose})[0];
    };
    CHECK(compares("FSETP.NEU.AND P0, PT, R1, RZ, PT") == 7);
    CHECK(compares("FSETP.NEU.FTZ.AND P0, PT, R1, RZ, PT") == 0);
    // the smallest subnormal number rounded up is 1, flushed it is 0
    CHECK(result_of("sm_80", "F2I.CEIL.NTZ R4, R1", 1, 0) == 1);
    CHECK(result_of("sm_80", "F2I.FTZ.CEIL.NTZ R4, R1", 1, 0) == 0);
}

TEST_CASE("fminf, fmaxf and NaN") {
    const u32 nan = 0x7fc00001, one = bits(1.0F);
    CHECK(result_of("sm_80", "FMNMX R4, R1, R2, PT", nan, one) == one);
    CHECK(result_of("sm_80", "FMNMX.NAN R4, R1, R2, PT", nan, one) == 0x7fffffff);
    CHECK(result_of("sm_80", "FMNMX R4, R1, R2, PT", 0x80000000, 0) == 0x80000000);
    CHECK(result_of("sm_80", "FMNMX R4, R1, R2, !PT", 0x80000000, 0) == 0);
}

TEST_CASE("pairs of halves, and halves as floats") {
    const u32 pair = 0x3e00c000;  // 1.5 above -2
    CHECK(number(result_of("sm_90", "HADD2.F32 R4, -RZ, R1.H0_H0", pair, 0)) == -2);
    CHECK(number(result_of("sm_90", "HADD2.F32 R4, -RZ, R1.H1_H1", pair, 0)) == 1.5F);
    CHECK(number(result_of("sm_90", "HADD2.F32 R4, -RZ, -|R1|.H0_H0", pair, 0)) == -2);
    CHECK(result_of("sm_90", "HADD2 R4, R1, R2", pair, 0x3c003c00) == 0x4100bc00);        // 2.5, -1
    CHECK(result_of("sm_90", "HMUL2 R4, R1, R2.H1_H1", pair, 0x40003c00) == 0x4200c400);  // 3, -4
    CHECK(result_of("sm_90", "HFMA2 R4, R1, R2, -|R3|", pair, 0x3c003c00, 0xbc004000) == 0x3800c400);
    CHECK(result_of("sm_90", "HADD2.BF16_V2 R4, R1, R2", 0x3fc0c000, 0x3f803f80) == 0x4020bf80);
    CHECK(result_of("sm_90", "HFMA2.BF16_V2 R4, R1, 2, 1, R2", 0x3fc0c000, 0x3f803f80) ==
          0x4080bf80);  // 4, -1
}

TEST_CASE("which of two doubles is the smaller or the greater, and whether neither is one") {
    const u32 one = 0x3ff00000, two = 0x40000000, nan = 0x7ff80000;
    const auto hexadecimal = [](u32 value) {
        char text[16];
        std::snprintf(text, sizeof text, "0x%x", value);
        return std::string(text);
    };
    const auto chosen = [&](const std::string& which, u32 a, u32 b) {
        return run_lines(
            "sm_90",
            {"MOV R8, RZ", "MOV R9, " + hexadecimal(a), "MOV R10, RZ", "MOV R11, " + hexadecimal(b),
             "DSETP." + which + ".AND P0, P1, R8, R10, PT", "SEL R4, R9, R11, P0", "@P1 MOV R4, 0x5"})[0];
    };
    CHECK(chosen("MIN", one, two) == one);
    CHECK(chosen("MIN", two, one) == one);
    CHECK(chosen("MAX", one, two) == two);
    CHECK(chosen("MAX", two, one) == two);
    CHECK(chosen("MIN", nan, two) == two);
    CHECK(chosen("MAX", one, nan) == one);
    CHECK(chosen("MIN", nan, nan) == 5);
}

TEST_CASE("szext with wrapping counts") {
    for (const u32 a : words) {
        for (const u32 count : {0U, 1U, 8U, 31U, 32U, 40U}) {
            const u32 n = count & 31U;
            const u32 mask = (1U << n) - 1;
            const u32 field = a & mask;
            const u32 extended = n > 0 && (field >> (n - 1) & 1U) != 0 ? field | ~mask : field;
            CHECK(result_of("sm_80", "SGXT.W.U32 R4, R1, R2", a, count) == field);
            CHECK(result_of("sm_80", "SGXT.W R4, R1, R2", a, count) == extended);
        }
    }
}

TEST_CASE("a modifier that is not understood makes the result unknown, not wrong") {
    for (const auto* line :
         {"IMNMX.XHI R4, R1, R2, PT", "FADD.XYZ R4, R1, R2", "IMNMX.S16x2 R4, R1, R2, PT",
          "SHF.L.U32.NEW R4, R1, R2, R3", "HFMA2.OOB R4, R1, R2, R3", "IADD.SAT R4, R1, R2"}) {
        INFO(line);
        CHECK_THROWS_WITH(result_of("sm_90", line, 1, 2),
                          Catch::Contains("is not emulated") && Catch::Contains("the address at"));
    }
}

}  // namespace intrinsics_test
