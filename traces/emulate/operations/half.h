// Half-precision numbers (IEEE 754 binary16), and the upper halves of FP32 (bfloat16).
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>

namespace gpumodel::emulate {

inline float from_half(std::uint32_t bits) {
    const int exponent = static_cast<int>(bits >> 10 & 0x1fU);
    const auto fraction = static_cast<float>(bits & 0x3ffU);
    float magnitude = 0;
    if (exponent == 31) {
        magnitude = fraction == 0 ? INFINITY : NAN;
    } else if (exponent == 0) {
        magnitude = std::ldexp(fraction, -24);
    } else {
        magnitude = std::ldexp(fraction + 1024.0F, exponent - 25);
    }
    return (bits & 0x8000U) != 0 ? -magnitude : magnitude;
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

}  // namespace gpumodel::emulate
