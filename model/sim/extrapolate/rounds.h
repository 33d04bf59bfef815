// Extrapolation over rounds of blocks: leaves blocks of the queue out once rounds of as many blocks as are
// resident take equally long per instruction. The last round and the partial one behind it are simulated.
//
// Contract: the run tells of every block that ends, and where that ends a round hands over a snapshot and the
// blocks that wait; the answer says how many of these to leave out. What that costs is in LeftOut.
#pragma once

#include <span>

#include "model/sim/blocks/block_queue.h"
#include "model/sim/extrapolate/steady.h"

namespace gpumodel::sim {

class RoundExtrapolator {
public:
    // `instructions`: of one block, by body.
    RoundExtrapolator(std::vector<double> instructions, int resident_blocks, LeftOut& left_out)
        : instructions_(std::move(instructions)),
          resident_(static_cast<std::size_t>(resident_blocks)),
          left_out_(left_out) {}

    // True if that ends a round.
    [[nodiscard]] bool block_ended();
    [[nodiscard]] BlockSkip after_round(const Snapshot& now, std::span<const PlannedBlock> waiting);

private:
    [[nodiscard]] BlockSkip skip(const Steady& steady, std::span<const PlannedBlock> waiting);

    const std::vector<double> instructions_;
    const std::size_t resident_;
    LeftOut& left_out_;
    std::size_t ends_ = 0;
    std::vector<WindowEnd> rounds_ = std::vector<WindowEnd>(1);  // from the run's start
};

}  // namespace gpumodel::sim
