// Sites and products of loop copies.
#pragma once

#include <array>

#include "traces/kernel/tiling/tile_geometry.h"
#include "traces/kernel_program.h"

namespace gpumodel {

// Where the counters of the tile-level loops have gone: counter d there is counters[d].at(here).
struct LoopBinding {
    std::array<LoopRef, max_loop_depth> counters{};
    int depth = 0;         // loops that enclose the node at tile level
    bool identity = true;  // counter d is counter d

    [[nodiscard]] Coord tile_level(const Coord& here) const;
    // The counter of one more loop.
    [[nodiscard]] LoopBinding with(LoopRef counter) const;
};

// `copies` copies in a row, copy c with the innermost counter of `first` moved on by c.
struct CopyRange {
    LoopBinding first;
    int copies = 1;
};

// The segment once per copy, as one segment; counts are not rounded yet.
[[nodiscard]] Segment copied_segment(const Segment& segment, const CopyRange& range);

}  // namespace gpumodel
