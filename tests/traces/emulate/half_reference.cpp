#include "tests/traces/emulate/half_reference.h"

#include <cmath>
#include <limits>
#include <string_view>

namespace half_reference {

namespace {

constexpr u32 sign_bit = 0x8000;

// Of a code without sign; that of infinity counts as the next number that there would be.
long double magnitude_of(u32 code, const Format& format) {
    const u32 exponent = code >> format.fraction_bits;
    const u32 fraction = code & ((1U << format.fraction_bits) - 1);
    const u32 leading = exponent == 0 ? 0 : 1U << format.fraction_bits;
    const int shift = (exponent == 0 ? 1 : static_cast<int>(exponent)) - format.bias - format.fraction_bits;
    return std::ldexp(static_cast<long double>(fraction + leading), shift);
}

// The greatest code, infinity's at most, whose number is no greater.
u32 code_below(long double magnitude, const Format& format) {
    u32 below = 0, above = format.infinity + 1;
    while (above - below > 1) {
        const u32 middle = (below + above) / 2;
        (magnitude_of(middle, format) <= magnitude ? below : above) = middle;
    }
    return below;
}

// Exact where the numbers lie close, else only on which side of the larger one.
long double side_of_sum(long double a, long double b) {
    if (a == 0 || b == 0 || !std::isfinite(a) || !std::isfinite(b)) {
        return a + b;
    }
    const bool first = std::fabs(a) > std::fabs(b);
    const auto large = first ? a : b;
    auto small = first ? b : a;
    const int least = std::ilogb(large) - 40;
    small = std::ilogb(small) < least ? std::copysign(std::ldexp(1.0L, least), small) : small;
    return large + small;
}

}  // namespace

bool is_nan(u32 bits, const Format& format) {
    return (bits & ~sign_bit) > format.infinity;
}

bool is_negative(u32 bits) {
    return (bits & sign_bit) != 0;
}

long double value_of(u32 bits, const Format& format) {
    const u32 code = bits & ~sign_bit;
    const auto magnitude =
        code == format.infinity ? std::numeric_limits<long double>::infinity() : magnitude_of(code, format);
    return is_negative(bits) ? -magnitude : magnitude;
}

u32 rounded(long double value, const Format& format, Mode mode) {
    if (std::isnan(value)) {
        return nan;
    }
    const bool negative = std::signbit(value);
    const u32 sign = negative ? sign_bit : 0;
    const auto magnitude = std::fabs(value);
    if (std::isinf(magnitude)) {
        return sign | format.infinity;
    }
    const bool outwards = mode == (negative ? Mode::down : Mode::up);
    const u32 below = code_below(magnitude, format);
    if (below == format.infinity) {
        return sign | (outwards || mode == Mode::nearest ? below : below - 1);
    }
    const auto past = magnitude - magnitude_of(below, format);
    const auto left = magnitude_of(below + 1, format) - magnitude;
    const bool nearest_is_next = past > left || (past == left && below % 2 == 1);
    return sign | (past > 0 && (mode == Mode::nearest ? nearest_is_next : outwards) ? below + 1 : below);
}

u32 flushed(u32 bits, const Format& format) {
    return (bits & ~sign_bit) < (1U << format.fraction_bits) ? bits & sign_bit : bits;
}

u32 fused(u32 a, u32 b, u32 c, const Format& format) {
    if (is_nan(a, format) || is_nan(b, format) || is_nan(c, format)) {
        return nan;
    }
    return rounded(side_of_sum(value_of(a, format) * value_of(b, format), value_of(c, format)), format);
}

u32 sum(u32 a, u32 b, const Format& format) {
    return fused(a, format.one, b, format);
}

u32 product(u32 a, u32 b, const Format& format) {
    return is_nan(a, format) || is_nan(b, format)
               ? nan
               : rounded(value_of(a, format) * value_of(b, format), format);
}

u32 saturated(u32 bits, const Format& format) {
    if (is_nan(bits, format) || is_negative(bits)) {
        return 0;
    }
    return value_of(bits, format) > 1 ? format.one : bits;
}

u32 rectified(u32 bits, const Format& format) {
    return is_nan(bits, format) ? nan : is_negative(bits) ? 0 : bits;
}

u32 chosen(u32 a, u32 b, const Format& format, const Choice& choice) {
    if (choice.magnitudes) {
        const u32 sign = (a ^ b) & sign_bit;
        const u32 result = chosen(a & ~sign_bit, b & ~sign_bit, format, {choice.smaller, choice.nan_wins});
        return result == nan ? nan : result | sign;
    }
    const bool no_a = is_nan(a, format), no_b = is_nan(b, format);
    if (no_a || no_b) {
        return choice.nan_wins || (no_a && no_b) ? nan : no_a ? b : a;
    }
    const auto x = value_of(a, format), y = value_of(b, format);
    const bool a_is_smaller = x != y ? x < y : is_negative(a);
    return a_is_smaller == choice.smaller ? a : b;
}

bool compares(const char* comparison, u32 a, u32 b, const Format& format) {
    const std::string_view name = comparison;
    const bool unordered = is_nan(a, format) || is_nan(b, format);
    if (name == "NUM" || name == "NAN") {
        return unordered == (name == "NAN");
    }
    if (unordered) {
        return name.size() == 3;
    }
    const auto x = value_of(a, format), y = value_of(b, format);
    const auto base = name.substr(0, 2);
    return base == "LT"   ? x < y
           : base == "LE" ? x <= y
           : base == "GT" ? x > y
           : base == "GE" ? x >= y
           : base == "EQ" ? x == y
                          : x != y;
}

}  // namespace half_reference
