// Sectors in a line's mask: a table in a word, as std::popcount is a call on a portable x86-64 build.
#pragma once

#include <cstdint>

namespace gpumodel::sim {

// `sectors`: one bit each of a line's four.
[[nodiscard]] constexpr int sector_count(std::uint32_t sectors) {
    constexpr std::uint64_t ones_of_nibble = 0x4332322132212110ULL;
    constexpr unsigned bits = 4;
    return static_cast<int>(ones_of_nibble >> (sectors * bits) & 0xfU);
}

}  // namespace gpumodel::sim
