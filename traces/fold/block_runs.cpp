#include "traces/fold/block_runs.h"

#include <utility>

namespace gpumodel {

const BlockPtr& BlockRuns::at(const Point& seen) {
    auto p = seen;
    if (seen_ != grid_) {
        const auto index = seen[0] + seen_.x * (seen[1] + seen_.y * seen[2]);
        p = {index % grid_.x, index / grid_.x % grid_.y, index / (grid_.x * grid_.y)};
    }
    const auto found = cache_.find(p);
    if (found != cache_.end()) {
        return found->second;
    }
    constexpr std::int64_t always_affordable = 8;
    if (accesses_ > limit_ && executed() >= always_affordable) {
        throw BudgetSpent{};
    }
    auto [block, work] = fold_block(source_, {p[0], p[1], p[2]}, warps_, cuts_, patterns_);
    work_ += work;
    if (!block) {
        throw CutsChanged{};
    }
    accesses_ += block->events;
    return cache_.emplace(p, std::move(block)).first->second;
}

}  // namespace gpumodel
