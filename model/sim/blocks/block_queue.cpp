#include "model/sim/blocks/block_queue.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace gpumodel::sim {

bool BlockQueue::has_block(Cycle now) const {
    if (next_ < plan_.even_blocks || next_ >= plan_.blocks.size()) {
        return next_ < plan_.even_blocks;
    }
    constexpr double fastest_tenth =
        1.28;  // deviations ahead of the mean: the normal distribution's quantile
    const auto at = static_cast<double>(now + left_out_);
    const double deviation = plan_.sm_time_spread * at;
    double taken = static_cast<double>(skipped_);  // by an SM
    for (const double when : taken_at_) {
        const double ahead = (at - when) / deviation - fastest_tenth;
        taken += 0.5 * std::erfc(-ahead * std::numbers::sqrt2 / 2);
    }
    return taken * plan_.sms < static_cast<double>(plan_.launch_blocks);
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
    skipped_ += skip.blocks;
    leave_out(skip.cycles);
}

}  // namespace gpumodel::sim
