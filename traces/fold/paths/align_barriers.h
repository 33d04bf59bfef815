// Warps of a block that reach the same barriers by loops of different trips, or beside a loop where others
// are in it: their loops are split so that all pass a common sequence of barriers and loops around barriers.
#pragma once

#include <vector>

#include "traces/fold/grid/grid_fold.h"
#include "traces/fold/paths/path_tree.h"
#include "traces/fold/segment_builder.h"

namespace gpumodel {

// Warps of one range with their path as a tree.
struct RangePath {
    WarpRange range;
    std::vector<PathNode> nodes;
};

// Splits outermost loops of the ranges, in `box` and in the trees, as long as that brings the ranges
// together. Only what stands outside of further loops is aligned.
void align_barriers(GridBox& box, std::vector<RangePath>& ranges, const StaticCode& code);

}  // namespace gpumodel
