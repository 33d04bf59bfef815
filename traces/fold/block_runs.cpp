#include "traces/fold/block_runs.h"

#include <utility>

namespace gpumodel {

const BlockPtr& BlockRuns::at(const Point& p) {
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
