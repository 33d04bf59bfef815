#include "model/sim/blocks/block_queue.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace gpumodel::sim {

namespace {

// Of the time. The walk was measured over 100 us and more; before that it would have SMs far more apart than
// they are (validate/data/h200_sxm_block_deal.csv: 0.4 % in the median, 1.3 % or less in nine launches of
// ten).
constexpr double most_apart = 0.02;

double normal_distribution(double deviations) {
    return 0.5 * std::erfc(-deviations * std::numbers::sqrt2 / 2);
}

// So far ahead of the mean is the first of `sms`: one in so many is farther.
double lead_of_first(int sms) {
    const double behind = 1 - 1.0 / std::max(sms, 2);
    double low = 0;
    double high = 10;
    for (int i = 0; i < 40; ++i) {
        const double middle = (low + high) / 2;
        (normal_distribution(middle) < behind ? low : high) = middle;
    }
    return low;
}

}  // namespace

BlockQueue::BlockQueue(const BlockPlan& plan) : plan_(plan), lead_(lead_of_first(plan.sms)) {}

bool BlockQueue::has_block(Cycle now, double idle) const {
    const auto at = static_cast<double>(now + left_out_);
    const double deviation = std::min(plan_.sm_drift * std::sqrt(at * idle), most_apart * at);
    if (next_ < plan_.even_blocks || next_ >= plan_.blocks.size() || deviation <= 0) {
        return next_ < plan_.even_blocks;
    }
    auto taken = static_cast<double>(taken_by_all_);  // by an SM
    for (const double when : taken_at_) {
        taken += normal_distribution((at - when) / deviation - lead_);
    }
    return taken * plan_.sms <= static_cast<double>(plan_.launch_blocks) - 1;
}

std::size_t BlockQueue::deal() {
    ++taken_by_all_;
    return next_++;
}

std::size_t BlockQueue::take(Cycle now) {
    taken_at_.push_back(static_cast<double>(now + left_out_));
    return next_++;
}

std::span<const PlannedBlock> BlockQueue::waiting() const {
    const auto end = std::max(plan_.even_blocks, next_);
    return std::span(plan_.blocks).subspan(next_, end - next_);
}

void BlockQueue::skip(const BlockSkip& skip) {
    next_ += skip.blocks;
    taken_by_all_ += skip.blocks;
    leave_out(skip.cycles);
}

}  // namespace gpumodel::sim
