// Handlers made from functions of single lanes.
#pragma once

#include <bit>

#include "traces/emulate/run/machine.h"

namespace gpumodel::emulate {

using u32 = std::uint32_t;
using u64 = std::uint64_t;
using i32 = std::int32_t;
using i64 = std::int64_t;

constexpr i32 as_signed(u32 value) {
    return static_cast<i32>(value);
}
constexpr i64 sign_extend(u32 value) {
    return static_cast<i64>(static_cast<i32>(value));
}
constexpr u64 join(u32 low, u32 high) {
    return static_cast<u64>(high) << 32 | low;
}
constexpr u32 low_word(u64 value) {
    return static_cast<u32>(value);
}
constexpr u32 high_word(u64 value) {
    return static_cast<u32>(value >> 32);
}
inline float as_float(u32 value) {
    return std::bit_cast<float>(value);
}
inline u32 float_bits(float value) {
    return std::bit_cast<u32>(value);
}
inline double as_double(u32 low, u32 high) {
    return std::bit_cast<double>(join(low, high));
}
inline u64 double_bits(double value) {
    return std::bit_cast<u64>(value);
}

inline const Lanes& from(const Warp& warp, const MicroOp& op, std::size_t i) {
    return warp.slots[op.from[i]];
}
inline Lanes& to(Warp& warp, const MicroOp& op, std::size_t i = 0) {
    return warp.slots[op.to[i]];
}

// The lane functions run on all lanes; only those of the mask are kept.
template <auto F>
void map1(Warp& warp, const MicroOp& op, u32 mask) {
    const auto& a = from(warp, op, 0);
    Lanes result;
    for (std::size_t i = 0; i < lane_count; ++i) {
        result.at[i] = F(a.at[i]);
    }
    assign(to(warp, op), result, mask);
}

template <auto F>
void map2(Warp& warp, const MicroOp& op, u32 mask) {
    const auto& a = from(warp, op, 0);
    const auto& b = from(warp, op, 1);
    Lanes result;
    for (std::size_t i = 0; i < lane_count; ++i) {
        result.at[i] = F(a.at[i], b.at[i]);
    }
    assign(to(warp, op), result, mask);
}

template <auto F>
void map3(Warp& warp, const MicroOp& op, u32 mask) {
    const auto& a = from(warp, op, 0);
    const auto& b = from(warp, op, 1);
    const auto& c = from(warp, op, 2);
    Lanes result;
    for (std::size_t i = 0; i < lane_count; ++i) {
        result.at[i] = F(a.at[i], b.at[i], c.at[i]);
    }
    assign(to(warp, op), result, mask);
}

// Four sources, 64-bit result in two slots.
template <auto F>
void map4_wide(Warp& warp, const MicroOp& op, u32 mask) {
    const auto& a = from(warp, op, 0);
    const auto& b = from(warp, op, 1);
    const auto& c = from(warp, op, 2);
    const auto& d = from(warp, op, 3);
    Lanes low, high;
    for (std::size_t i = 0; i < lane_count; ++i) {
        const u64 result = F(a.at[i], b.at[i], c.at[i], d.at[i]);
        low.at[i] = low_word(result);
        high.at[i] = high_word(result);
    }
    assign(to(warp, op, 0), low, mask);
    assign(to(warp, op, 1), high, mask);
}

// Lanes for which F holds.
template <auto F>
u32 lanes_where(const Lanes& a, const Lanes& b) {
    u32 result = 0;
    for (std::size_t i = 0; i < lane_count; ++i) {
        result |= F(a.at[i], b.at[i]) ? lane_bit[i] : 0;
    }
    return result;
}

// 1 where a + b = sum needed a 33rd bit; unsigned comparisons are not vector code everywhere.
inline u32 carry_of(u32 a, u32 b, u32 sum) {
    return ((a & b) | ((a | b) & ~sum)) >> 31U;
}

// 0 or 1 per lane.
inline u32 bit_of(u32 mask, std::size_t lane) {
    return (mask & lane_bit[lane]) != 0 ? 1 : 0;
}

}  // namespace gpumodel::emulate
