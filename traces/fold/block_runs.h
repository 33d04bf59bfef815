// Blocks of a grid, each executed and folded once, and what that has cost.
#pragma once

#include <cstdint>
#include <map>
#include <memory>

#include "traces/fold/folded_block.h"
#include "traces/fold/grid/grid_points.h"

namespace gpumodel {

// A block jumped where no jump was expected; everything has to be folded anew.
struct CutsChanged {};
// More would be executed than the search is worth.
struct BudgetSpent {};

using BlockPtr = std::shared_ptr<const FoldedBlock>;

class BlockRuns {
public:
    // `work` adds up over all attempts at a launch.
    BlockRuns(BlockSource& source, int warps, CutPoints& cuts, LanePatterns& patterns, std::int64_t& work)
        : source_(source), warps_(warps), cuts_(cuts), patterns_(patterns), work_(work) {}

    // A new block throws BudgetSpent beyond so many accesses and a few blocks.
    void limit_accesses(std::int64_t accesses) { limit_ = accesses; }
    void lift_limit() { limit_ = INT64_MAX; }

    // Points are taken for those of a grid of `seen` blocks from now on, in the same order, x first, as the
    // launch's `grid`.
    void see_as(const Dim3& grid, const Dim3& seen) {
        grid_ = grid;
        seen_ = seen;
    }

    // Throws CutsChanged, BudgetSpent and what the source throws.
    const BlockPtr& at(const Point& seen);
    [[nodiscard]] std::int64_t executed() const { return static_cast<std::int64_t>(cache_.size()); }
    [[nodiscard]] std::int64_t work() const { return work_; }

private:
    BlockSource& source_;
    int warps_;
    CutPoints& cuts_;
    LanePatterns& patterns_;
    std::int64_t& work_;
    std::int64_t limit_ = INT64_MAX;
    std::int64_t accesses_ = 0;
    Dim3 grid_, seen_;                 // alike where nobody called see_as()
    std::map<Point, BlockPtr> cache_;  // by the launch's coordinates
};

}  // namespace gpumodel
