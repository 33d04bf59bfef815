// Warps of a block that reach the same barriers by other loops: by more or fewer trips, beside a loop where
// others are in it, or by other loops inside of a common one. Their paths are written anew, so that all pass
// a common sequence of barriers and of loops around barriers:
//
//   all at a loop, as many barriers in a trip   one loop of as many trips as all have left, its body aligned
//   alike else                                        those at a loop go through its next trip by itself
//
// Loops without barriers stay as they are.
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

// Writes `box` and the trees anew where ranges differ. Left as they are where the common path would be
// too long to keep.
void align_barriers(GridBox& box, std::vector<RangePath>& ranges, const StaticCode& code);

}  // namespace gpumodel
