// The blocks that one SM runs, in order of start, and when it takes the next one.
//
// The SM gets its even part, and beyond it what slower SMs have not taken from the launch's queue by then.
// SMs drift apart: when equal blocks end is spread normally over them, its standard deviation grows with the
// root of the time in which they wait (spec: launch.sm_drift; what a unit takes that is always busy is the
// same on all), and the SM that decides when the launch ends is the one that is first. Where an SM's blocks
// end together it then takes several at once, and others none (H200: validate/data/h200_sxm_block_deal.csv).
//
// Contract: times are the run's; what extrapolation leaves out of it is told by leave_out(), and counts for
// the other SMs, which are ahead by as much.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "model/sim/core/machine.h"
#include "traces/kernel_program.h"

namespace gpumodel::sim {

struct PlannedBlock {
    Dim3 at;
    std::int64_t index = 0;    // linear
    int body = 0;              // of the decoded program
    Cycle earliest_start = 0;  // by the GPU's dispatch rate
};

struct BlockPlan {
    std::vector<PlannedBlock> blocks;  // in order of start: the even part, and what may come on top
    std::size_t even_blocks = 0;       // blocks of an SM when they are dealt evenly
    int resident = 1;                  // at most, at a time
    std::int64_t launch_blocks = 0;    // of all SMs
    int sms = 1;
    double sm_drift = 0;  // standard deviation between SMs, cycles per root of an idle cycle
    Cycle turnover = 0;   // from a block's end to the next one's start in its slot
};

// Blocks of the queue that need not run, and the cycles that they would have taken.
struct BlockSkip {
    std::size_t blocks = 0;
    Cycle cycles = 0;
};

class BlockQueue {
public:
    explicit BlockQueue(const BlockPlan& plan);

    // An SM whose slot is free at `now` gets another block. `idle`: the part of the time that can differ from
    // SM to SM, as none of its units was busy all along.
    [[nodiscard]] bool has_block(Cycle now, double idle) const;
    // Takes the next one; returns its number in the plan. The first, which fill the slots, are dealt evenly,
    // at the rate of dispatch; the others go to whose slots are free.
    std::size_t deal();
    std::size_t take(Cycle now);
    // Earliest start of the next one.
    [[nodiscard]] Cycle earliest_start() const { return plan_.blocks[next_].earliest_start - left_out_; }
    // Of the even part.
    [[nodiscard]] std::span<const PlannedBlock> waiting() const;
    void skip(const BlockSkip& skip);
    // Time passed that the run leaves out.
    void leave_out(Cycle cycles) { left_out_ += cycles; }

    [[nodiscard]] std::size_t taken() const { return next_; }  // skipped ones included

private:
    const BlockPlan& plan_;
    const double lead_;  // of the first of the SMs, in standard deviations
    std::size_t next_ = 0;
    std::size_t taken_by_all_ = 0;  // dealt or skipped
    Cycle left_out_ = 0;
    std::vector<double> taken_at_;  // the others
};

}  // namespace gpumodel::sim
