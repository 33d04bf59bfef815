// How the addresses of blocks move on where data, hashes or random numbers decide what blocks do and one
// block stands for those next to it.
//
// Contract
// - The block next to it may run other code or meet other lanes: accesses are matched by warp, instruction
//   and turn, and the distance of their first lanes is the stride (rows of a sparse matrix: what a block
//   reads of it; positions that a thread works at: the threads of a block). Where lanes lie otherwise all
//   accesses of an instruction, or of a neighbourhood where an instruction has few (unrolled loops), move by
//   the median of their distances where most lie near it: what a block's reads share (the columns near its
//   rows) they share in the blocks that it stands for, too. Shared memory stands still.
// - Where addresses jump at random (a gather) that distance says nothing and would leave the array: one that
//   in its box goes further than `most_ahead` times what the instruction's addresses spread over the launch,
//   shared out evenly along that side of the grid, is replaced by a line per block, or a sector, or none,
//   whatever stays within half of that spread. Blocks then touch other lines of the same array, as they do.
//   (With as many lines as fit the spread the 462 recorded kernels of validate/recorder/mixed were 9.7 % off,
//   not 9.2.)
// Strides are whole sectors where they are not those of a neighbour that runs the same code.
//
// Ignored: lines that all blocks share in an array that they read at random (the hubs of a graph): they count
// as read by each block anew.
#pragma once

#include <vector>

#include "traces/fold/grid/grid_points.h"

namespace gpumodel {

using WarpStrides = std::vector<std::vector<BlockStride>>;

// Which accesses do; the latter: all where the lanes of some lie otherwise, else none (orders of tiles).
enum class Moving : unsigned char { all, where_lanes_differ };

// The strides along the axis from `block` to `next`, the one next to it.
void match_accesses(const FoldedBlock& block, const FoldedBlock& next, std::size_t axis, Moving moving,
                    WarpStrides& strides);

// Of boxes that are `by_data` along some axis. Their bases are those of the block at the box's beginning and
// are kept so that the executed block stays where it was.
void keep_inside(std::vector<GridBox>& boxes);

}  // namespace gpumodel
