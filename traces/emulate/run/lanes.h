// One value per lane of a warp, and sets of lanes as bit masks.
#pragma once

#include <array>
#include <cstdint>

namespace gpumodel::emulate {

inline constexpr int lane_count = 32;
inline constexpr std::uint32_t all_lanes = 0xffffffffU;

struct alignas(64) Lanes {
    std::array<std::uint32_t, lane_count> at;
};

// 1 << lane: compilers turn (mask & lane_bit[i]) into vector code, but not a shift by i.
inline constexpr std::array<std::uint32_t, lane_count> lane_bit = [] {
    std::array<std::uint32_t, lane_count> bits{};
    for (std::size_t i = 0; i < bits.size(); ++i) {
        bits[i] = 1U << i;
    }
    return bits;
}();

// Writes the lanes of the mask.
inline void assign(Lanes& to, const Lanes& value, std::uint32_t mask) {
    if (mask == all_lanes) {
        to = value;
        return;
    }
    for (std::size_t i = 0; i < lane_count; ++i) {
        to.at[i] = (mask & lane_bit[i]) != 0 ? value.at[i] : to.at[i];
    }
}

inline void fill(Lanes& to, std::uint32_t value) {
    to.at.fill(value);
}

}  // namespace gpumodel::emulate
