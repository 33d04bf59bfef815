// Half-precision numbers (IEEE 754 binary16), and the upper halves of FP32 (bfloat16).
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>

namespace gpumodel::emulate {

struct HalfFormat {
    int fraction_bits;
    int lowest_exponent;  // of the normal numbers
    std::uint32_t infinity, one;
};
inline constexpr HalfFormat half_format{10, -14, 0x7c00, 0x3c00};
inline constexpr HalfFormat bfloat_format{7, -126, 0x7f80, 0x3f80};

inline constexpr std::uint32_t half_sign = 0x8000;
inline constexpr std::uint32_t half_nan = 0x7fff;  // canonical, of both formats (PTX ISA)

constexpr const HalfFormat& half_format_of(bool bfloat) {
    return bfloat ? bfloat_format : half_format;
}
constexpr bool is_half_nan(std::uint32_t bits, const HalfFormat& format) {
    return (bits & ~half_sign) > format.infinity;
}
// .FTZ: a subnormal number is a zero of its sign.
constexpr std::uint32_t flushed_half(std::uint32_t bits, const HalfFormat& format) {
    const bool subnormal = (bits & ~half_sign) >> format.fraction_bits == 0;
    return subnormal ? bits & half_sign : bits;
}

// The fields of a float with the exponent too low by 112, which one exact product mends for all numbers,
// subnormal ones too; a function of words without calls, which compilers turn into vector code.
inline float from_half(std::uint32_t bits) {
    const float magnitude = std::bit_cast<float>((bits & 0x7fffU) << 13) * 0x1p112F;
    const std::uint32_t code = magnitude < 0x1p16F
                                   ? std::bit_cast<std::uint32_t>(magnitude)
                                   : 0x7f800000U | ((bits & 0x3ffU) != 0 ? std::uint32_t{0x7fc00000} : 0U);
    return std::bit_cast<float>(code | (bits & half_sign) << 16);
}

// To nearest, ties to even.
inline std::uint32_t to_half(float value) {
    const std::uint32_t sign = std::signbit(value) ? 0x8000U : 0;
    if (std::isnan(value)) {
        return 0x7fffU;
    }
    const float magnitude = std::fabs(value);
    if (magnitude >= 65520.0F) {  // half way beyond the largest one
        return sign | 0x7c00U;
    }
    int exponent = 0;
    std::frexp(magnitude, &exponent);
    if (exponent < -13 || magnitude == 0) {
        exponent = -13;  // subnormal: steps of 2^-24
    }
    // 0 ... 2048; the carry of rounding up runs into the exponent by itself
    const auto steps = static_cast<std::uint32_t>(std::nearbyint(std::ldexp(magnitude, 11 - exponent)));
    return sign | (static_cast<std::uint32_t>(exponent + 13) * 1024U + steps);
}

// To nearest, ties to even.
inline std::uint32_t to_bfloat(float value) {
    if (std::isnan(value)) {
        return 0x7fffU;
    }
    const auto bits = std::bit_cast<std::uint32_t>(value);
    return (bits + 0x7fffU + (bits >> 16 & 1U)) >> 16;
}

inline float from_half_or_bfloat(std::uint32_t bits, bool bfloat) {
    return bfloat ? std::bit_cast<float>(bits << 16) : from_half(bits);
}

inline float towards_zero(double value) {
    const auto rounded = static_cast<float>(value);
    return std::fabs(static_cast<double>(rounded)) > std::fabs(value) ? std::nextafter(rounded, 0.0F)
                                                                      : rounded;
}

// A float that keeps, as its last bit, whether anything was cut off: rounding it once more to a shorter
// format is then rounding once.
inline float odd_float(double value) {
    const float cut = towards_zero(value);
    return static_cast<double>(cut) != value && std::isfinite(value)
               ? std::bit_cast<float>(std::bit_cast<std::uint32_t>(cut) | 1U)
               : cut;
}

// Likewise the sum of two doubles (the rounding error is that of Knuth's TwoSum).
inline double odd_sum(double a, double b) {
    const double sum = a + b;
    const double share = sum - a;
    const double error = (a - (sum - share)) + (b - share);
    const bool odd = (std::bit_cast<std::uint64_t>(sum) & 1U) != 0;
    if (!std::isfinite(sum) || error == 0 || odd) {
        return sum;
    }
    return std::nextafter(sum, error > 0 ? HUGE_VAL : -HUGE_VAL);
}

inline std::uint32_t nearest_half(double value) {
    return to_half(odd_float(value));
}

enum class Rounding : unsigned char { nearest, down, up, zero };

// Rounded once; beyond the largest number as IEEE 754 says: infinity, or the largest one where that is on the
// asked side.
[[nodiscard]] std::uint32_t rounded_half(long double value, const HalfFormat& format, Rounding rounding);

}  // namespace gpumodel::emulate
