#include "model/sim/extrapolate/rounds.h"

#include "model/sim/extrapolate/policy.h"

namespace gpumodel::sim {

bool RoundExtrapolator::block_ended() {
    return ++ends_ % policy::blocks_of_round(resident_) == 0;
}

BlockSkip RoundExtrapolator::after_round(const Snapshot& now, std::span<const PlannedBlock> waiting) {
    WindowEnd round{static_cast<double>(now.now + left_out_.cycles),
                    now.counters,
                    left_out_.error_cycles,
                    now.stalls,
                    {}};
    add_scaled(round.counters, left_out_.counters, {}, 1);
    add_scaled(round.stalls, left_out_.stalls, {}, 1);
    add_window(rounds_, std::move(round));
    const auto cpis = cpis_of(rounds_);
    const auto steady = steady_state(cpis, now.work());
    const bool enough = static_cast<double>(cpis.size()) >= policy::fewest_rounds(now.work());
    return steady && enough ? skip(*steady, waiting) : BlockSkip{};
}

BlockSkip RoundExtrapolator::skip(const Steady& steady, std::span<const PlannedBlock> waiting) {
    if (waiting.size() < 2 * resident_) {
        return {};
    }
    BlockSkip skip;
    skip.blocks = (waiting.size() - resident_) / resident_ * resident_;
    double instructions = 0;
    for (const auto& block : waiting.first(skip.blocks)) {
        instructions += instructions_[static_cast<std::size_t>(block.body)];
    }
    skip.cycles = left_out_.add(instructions * steady.mean, instructions, steady.error,
                                rounds_[rounds_.size() - 1 - steady.windows], rounds_.back());
    left_out_.blocks += static_cast<std::int64_t>(skip.blocks);
    rounds_.clear();
    return skip;
}

}  // namespace gpumodel::sim
