// Arithmetic on 16-bit floating-point numbers for the tests, done anew: numbers are looked up among all there
// are, sums are exact in a long double.
#pragma once

#include <cstdint>

namespace half_reference {

using u32 = std::uint32_t;

struct Format {
    int fraction_bits, bias;
    u32 infinity, one;
};
inline constexpr Format half{10, 15, 0x7c00, 0x3c00};
inline constexpr Format bfloat{7, 127, 0x7f80, 0x3f80};
inline constexpr u32 nan = 0x7fff;

enum class Mode { nearest, down, up, zero };

bool is_nan(u32 bits, const Format& format);
bool is_negative(u32 bits);
// Not of a NaN.
long double value_of(u32 bits, const Format& format);
u32 rounded(long double value, const Format& format, Mode mode = Mode::nearest);
u32 flushed(u32 bits, const Format& format);

// a * b + c, a + b and a * b, rounded once.
u32 fused(u32 a, u32 b, u32 c, const Format& format);
u32 sum(u32 a, u32 b, const Format& format);
u32 product(u32 a, u32 b, const Format& format);

// The PTX ISA's .sat and .relu; of the zeros' signs it says nothing.
u32 saturated(u32 bits, const Format& format);
u32 rectified(u32 bits, const Format& format);

// The PTX ISA's min and max.
struct Choice {
    bool smaller = false, nan_wins = false, magnitudes = false;
};
u32 chosen(u32 a, u32 b, const Format& format, const Choice& choice);

// "LT", "GEU", "NAN" ...
bool compares(const char* comparison, u32 a, u32 b, const Format& format);

// F(lower halves) and F(upper halves) side by side.
template <class F>
u32 by_halves(F f, u32 a, u32 b = 0, u32 c = 0) {
    return f(a >> 16, b >> 16, c >> 16) << 16 | f(a & 0xffffU, b & 0xffffU, c & 0xffffU);
}

}  // namespace half_reference
