// The block that a launch waits for where data decide how long blocks take, and only some blocks stand for
// all.
#pragma once

#include <cstdint>

#include "traces/fold/folded_block.h"
#include "traces/fold/grid/grid_points.h"
#include "traces/warp_events.h"

namespace gpumodel {

struct BlockLength {
    Point at{};
    std::int64_t instructions = 0;  // of its longest warp
};

// Executes all blocks, or so many spread evenly that they together take some `work` (folded_block.h) by what
// the first ones took, and returns the longest. Jumps are noted in `cuts`. Throws what the source throws.
[[nodiscard]] BlockLength longest_block(BlockSource& source, const Dim3& grid, int warps, std::int64_t work,
                                        CutPoints& cuts);

// Instructions of the block's longest warp.
[[nodiscard]] std::int64_t length_of(const FoldedBlock& block);

// The box that holds `at`, as boxes around that block and the block alone. `at` is the last of them.
[[nodiscard]] std::vector<Box> set_apart(const Box& box, const Point& at);

}  // namespace gpumodel
