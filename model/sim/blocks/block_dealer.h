// The blocks of one SM: which slot runs which, their barriers, and the next block when one ends.
//
// Contract
// - start() fills the slots in order. A block ends with its last warp; if the queue has another, it starts in
//   the same slot `turnover` cycles later, not before its earliest start.
// - A barrier opens when every warp of the block that has not ended has arrived. The SM counts one arrival
//   after the other, `arrival_cycles` apart, over all its blocks; the warps go on `barrier_latency` after the
//   last one is counted.
// - The listener, if any, hears of starts, ends and barriers before the warps do.
#pragma once

#include <vector>

#include "model/sim/blocks/block_queue.h"
#include "model/sim/core/warp.h"

namespace gpumodel::sim {

class DealerNeighbours {
public:
    DealerNeighbours() = default;
    DealerNeighbours(const DealerNeighbours&) = delete;
    DealerNeighbours& operator=(const DealerNeighbours&) = delete;

    virtual void start_block(int slot, const BlockStart& start, const PlannedBlock& block) = 0;
    // All have arrived; its warps go on at `at`.
    virtual void release(int slot, Cycle complete, Cycle at) = 0;
    // A block ended: the rest of the queue as it is, or shorter.
    virtual BlockSkip block_ended(Cycle end, std::span<const PlannedBlock> waiting) = 0;
    // Of the time so far, the part in which the SM's busiest unit had nothing to do.
    [[nodiscard]] virtual double idle(Cycle now) const = 0;

protected:
    ~DealerNeighbours() = default;
};

class BlockDealer {
public:
    // All references have to outlive the dealer; listener may be null.
    BlockDealer(const BlockPlan& plan, const Machine& machine, int warps_per_block, SimListener* listener,
                DealerNeighbours& neighbours);

    void start();
    void arrive(int slot, Cycle now);       // a warp, at its barrier
    void warp_exited(int slot, Cycle now);  // barriers do not wait for it any more
    void warp_ended(int slot, Cycle now);   // its last cycle was `now`
    void leave_out(Cycle cycles) { queue_.leave_out(cycles); }

    [[nodiscard]] int slots() const { return static_cast<int>(slots_.size()); }
    [[nodiscard]] bool any_runs() const;
    [[nodiscard]] Cycle end() const { return end_; }                     // of the last block that ended
    [[nodiscard]] std::size_t blocks() const { return queue_.taken(); }  // started or skipped

private:
    struct Slot {
        std::int64_t block = 0;  // linear index
        int live_warps = 0;      // that have not exited
        int held_warps = 0;      // that have not ended
        int arrived = 0;
        double last_arrival = 0;  // counted, at the barrier that is open
        bool running = false;
    };
    void start_block(int slot, std::size_t number, Cycle start);
    void end_block(int slot, Cycle end);
    void release_if_complete(int slot, Cycle now);
    [[nodiscard]] Slot& at(int slot) { return slots_[static_cast<std::size_t>(slot)]; }

    const BlockPlan& plan_;
    const Machine& machine_;
    const int warps_per_block_;
    SimListener* const listener_;
    DealerNeighbours& neighbours_;
    BlockQueue queue_;
    std::vector<Slot> slots_;
    double arrivals_free_ = 0;  // the SM can count the next one
    Cycle end_ = 0;
};

}  // namespace gpumodel::sim
