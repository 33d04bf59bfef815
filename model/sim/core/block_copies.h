// Bulk copies of one block in the order of their issue, by whichever warp: when they have come to their
// barriers.
//
// A warp that waits for the first n of them waits for copies of other warps, too. Copies that nobody is going
// to issue any more are not waited for: a run that leaves trips out may count them otherwise than the launch
// does.
#pragma once

#include <algorithm>
#include <utility>
#include <vector>

#include "model/sim/core/machine.h"

namespace gpumodel::sim {

class BlockCopies {
public:
    void reset() {
        done_.clear();
        under_way_.clear();
        come_ = 0;
        come_at_ = 0;
    }
    // A piece of a copy is on its way, the first of a new one or a further one.
    void send(bool first) {
        if (first) {
            done_.push_back(0);
            under_way_.push_back(0);
        }
        ++under_way_.back();
    }
    [[nodiscard]] std::int64_t issued() const { return static_cast<std::int64_t>(done_.size()); }
    // A piece of copy `number` (from 1 on) comes at `at`.
    void deliver(std::int64_t number, Cycle at) {
        const auto i = static_cast<std::size_t>(number - 1);
        if (i >= done_.size()) {
            return;
        }
        done_[i] = std::max(done_[i], at);
        --under_way_[i];
        for (; come_ < done_.size() && under_way_[come_] == 0; ++come_) {
            come_at_ = std::max(come_at_, done_[come_]);
            done_[come_] = come_at_;
        }
    }
    // When the first `count` have come; `never` if nobody knows yet.
    [[nodiscard]] Cycle come(std::int64_t count) const {
        return count <= 0                                 ? 0
               : static_cast<std::size_t>(count) <= come_ ? done_[static_cast<std::size_t>(count - 1)]
                                                          : never;
    }

private:
    std::vector<Cycle> done_;  // of those that have come: the latest of all before, too
    std::vector<int> under_way_;
    std::size_t come_ = 0;
    Cycle come_at_ = 0;
};

}  // namespace gpumodel::sim
