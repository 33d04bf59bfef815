// The blocks of a grid as boxes of blocks that run the same code at addresses affine in the block
// coordinates.
//
// A box is fitted to its first block and the next block along each axis, and checked at its corners, its
// centre and at two further blocks (at every block where the grid is run whole). Where a check fails, the box
// is split at the first block that deviates, found by bisection between a block that fits and one that does
// not. Where that gives too many boxes, the grid is looked at with other sides (box_fit.h, counted_grid).
// What is done where that leads nowhere: fold_program.h.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "traces/fold/fold_program.h"
#include "traces/fold/folded_block.h"

namespace gpumodel {

using BlockStride = std::array<std::int64_t, 3>;  // bytes per block along x, y, z

struct GridBox {
    BlockBox blocks;
    std::shared_ptr<const FoldedBlock> first;       // the block at blocks.begin
    std::vector<std::vector<BlockStride>> strides;  // per warp and access
    std::array<bool, 3> by_data{};  // along these axes its blocks run other code, or meet other lanes
    BlockStride executed{};         // from blocks.begin to the block that stands for all
};

struct GridFold {
    Dim3 grid;  // that the boxes are of: the launch's, or one of as many blocks in the same order
    std::vector<GridBox> boxes;  // a partition of the grid
    LanePatterns patterns;
    std::vector<std::string> notes;
    // Blocks go ways of their own that no rule was found for, as where data decide: some stand for all.
    bool irregular = false;
    // Of these few: no more is known of one that was not executed than that it is like some of them.
    bool some_stand_for_all = false;
};

[[nodiscard]] GridFold fold_grid(BlockSource& source, const Dim3& grid, int warps,
                                 const FoldOptions& options);

}  // namespace gpumodel
