// Counting distinct aligned pieces (words, sectors, lines) named by a set of lanes, without allocating.
// Ascending addresses are counted in one pass, others by a 256-piece bit window or a small hash set.
#pragma once

#include <cstdint>

#include "model/memory/warp_access.h"

namespace gpumodel {

// Distinct values of address >> shift over the lanes of `lanes`; 0 for no lane.
[[nodiscard]] int count_distinct(const WarpAccess& access, std::uint32_t lanes, unsigned shift);

// Words (shift by the access width), 32 B sectors and 128 B lines at once.
struct DistinctPieces {
    int words = 0;
    int sectors = 0;
    int lines = 0;
};
[[nodiscard]] DistinctPieces count_pieces(const WarpAccess& access, std::uint32_t lanes, unsigned word_shift);

inline constexpr unsigned sector_shift = 5;  // 32 B: L2 segment on cc 2.x and later (programming guide)
inline constexpr unsigned line_shift = 7;    // 128 B: L1 line on cc 2.x and later (programming guide)

}  // namespace gpumodel
