// Boxes of blocks that are alike: fitted to their first block, checked at others, split where a check fails.
#pragma once

#include <optional>
#include <vector>

#include "traces/fold/block_runs.h"

namespace gpumodel {

// What the blocks of a box share.
enum class Likeness : unsigned char {
    addresses,  // code, lanes and addresses affine in the block coordinates
    paths,      // code and lanes only: one block's addresses stand for all
};

struct PartitionLimits {
    bool every_block = false;  // check all blocks, not just a few
    std::size_t boxes = 0;
    std::int64_t weight = 0;    // sum of the boxes' weights (FoldedBlock)
    bool data_decides = false;  // of representative()
};

// The grid as boxes of like blocks, in the order of their first blocks along the splits. Empty if that takes
// more than the limits. Throws CutsChanged; BudgetSpent counts as a limit.
[[nodiscard]] std::optional<std::vector<GridBox>> partition(BlockRuns& runs, const Box& grid,
                                                            Likeness likeness, const PartitionLimits& limits);

// A grid of as many blocks in the same order in which addresses may be affine where they are not in `grid`:
// blocks that count through rows, columns and groups of rows by the remainders of their index. Its sides are
// the first blocks whose addresses break with those before, along x and then along y. Empty where there is
// none: the index breaks at once, or at what does not divide the grid. Leaves `runs` seeing `grid`.
[[nodiscard]] std::optional<Dim3> counted_grid(BlockRuns& runs, const Dim3& grid);

// The block `at` for all of the box, with the strides to its neighbours where those run the same
// code. Blocks that can't be afforded are no neighbours.
// Where they run other code and data decide what blocks do, accesses are matched one by one (data_strides.h);
// else only those whose lanes lie otherwise (hashes, random numbers), and what moves as a whole stands still:
// it is their number that decides (orders of tiles, which share rows and columns in turn).
[[nodiscard]] GridBox representative(BlockRuns& runs, const Box& box, const Point& at, bool data_decides);

}  // namespace gpumodel
