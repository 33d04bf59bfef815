// The issue core of one SM: its warps, schedulers, scoreboards, arithmetic pipes and instruction fetch.
//
// Contract
// - Time is an argument. next() is the first cycle with something to look at; step(now), at most once for
//   each such cycle in rising order, lets every scheduler issue what it can.
// - A warp's instruction issues once its stall count, branch, barrier or fetch is over and its registers are
//   ready. Of the ready warps the policy's first goes whose pipe has a free unit (or, for a memory
//   instruction, whose queue has room) and whose operands the register ports can deliver: hazards in this
//   order, and the first one met is the stall reason.
// - A memory instruction goes to the neighbours and takes a place of the scheduler's queue, until deliver()
//   says that it has left the data pipe and when its result is there.
// - A warp that comes to a block-wide barrier stays until release(); one that ends leaves its place to
//   start_block(). Both are told to the neighbours within the cycle, who may call back at once.
// - Every cycle of a warp, from its block's start to its last issue, is accounted under one reason.
//
// Ignored: the cost of taken forward branches.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "model/sim/core/block_copies.h"
#include "model/sim/core/instruction_cache.h"
#include "model/sim/core/pipes.h"
#include "model/sim/core/scheduler.h"
#include "model/sim/core/warp.h"
#include "model/sim/events/run_account.h"

namespace gpumodel::sim {

// What the core hands on to the rest of the SM.
class CoreNeighbours {
public:
    CoreNeighbours() = default;
    CoreNeighbours(const CoreNeighbours&) = delete;
    CoreNeighbours& operator=(const CoreNeighbours&) = delete;

    // False if no lane takes part: nothing is sent, and nothing will be delivered.
    virtual bool send(const Warp& warp, const DecodedOp& op, Cycle now) = 0;
    virtual void arrived(int slot, Cycle now) = 0;      // a warp at its block's barrier
    virtual void warp_exited(int slot, Cycle now) = 0;  // it issued its last instruction at `now`
    virtual void warp_ended(int slot,
                            Cycle now) = 0;  // and its stores have left it: its last cycle was `now`
    // Another iteration of a top-level loop: not its first.
    virtual void trip_started(const Warp& warp, std::int32_t loop) = 0;

protected:
    ~CoreNeighbours() = default;
};

class IssueCore {
public:
    // Warps of a block stand side by side, and warp n of the SM belongs to scheduler n mod schedulers.
    // All references have to outlive the core.
    IssueCore(const ArchSpec& arch, const Machine& machine, const DecodedProgram& decoded,
              int resident_blocks, RunAccount& account, CoreNeighbours& neighbours);

    void start_block(int slot, const BlockStart& start);
    [[nodiscard]] Cycle next() const {
        Cycle next = never;
        for (const auto& s : schedulers_) {
            next = std::min(next, s.wake);
        }
        return next;
    }
    void step(Cycle now);
    // The block's warps go on, at the earliest at `at`.
    void release(int slot, Cycle at);
    // A memory instruction of the warp's block number `order` (of that time) has left the data pipe in the
    // cycle before `queue_opens`; `ready` = its result's time, of no meaning for stores.
    void deliver(const DecodedOp& op, int warp, std::int64_t order, std::int64_t copy_batch,
                 Cycle queue_opens, Cycle ready, std::int64_t copy = 0);
    // Number of the bulk copy that the block has sent last.
    [[nodiscard]] std::int64_t last_copy(int slot) const {
        return copies_[static_cast<std::size_t>(slot)].issued();
    }
    // The top-level loop that the warp is in gets shorter.
    void cut_trips(std::size_t warp, std::int64_t trips) { warps_[warp].trips_cut += trips; }

    [[nodiscard]] const std::vector<Warp>& warps() const { return warps_; }
    [[nodiscard]] int warps_per_block() const { return warps_per_block_; }

private:
    void start_warp(Warp& warp, const BlockStart& start);
    [[nodiscard]] int warp_at_place(int place, std::int64_t order) const;
    void look(Scheduler& s, Cycle now);
    [[nodiscard]] bool try_issue(Scheduler& s, Warp& warp, Cycle now);
    void pass_over(Scheduler& s, std::uint64_t ready, const DecodedOp& issued, Cycle now);
    void hold_back(Scheduler& s, std::uint64_t ready, Cycle now, Cycle until);
    bool refuse(Scheduler& s, Warp& warp, Cycle now, Cycle retry, StallReason reason);
    void issue(Scheduler& s, Warp& warp, const DecodedOp& op, int unit, Cycle now);
    void multiply(Warp& warp, const DecodedOp& op, Cycle now);
    void send(Scheduler& s, Warp& warp, const DecodedOp& op, Cycle now);
    [[nodiscard]] Cycle target_at(const Warp& warp, Cycle now) const;
    void go_on(Scheduler& s, Warp& warp, const DecodedOp& op, bool taken, Cycle now);
    [[nodiscard]] bool advance(Warp& warp, const DecodedOp& op);
    void prepare(Warp& warp, Cycle not_before, StallReason reason);
    [[nodiscard]] Cycle fetch(Warp& warp, Cycle not_before);
    void arrive(Scheduler& s, Warp& warp, Cycle now);
    void exit_warp(Warp& warp, Cycle now);
    void end_warp(Warp& warp, Cycle now);
    [[nodiscard]] Cycle inputs_ready(Warp& warp);
    void look_at_inputs(Warp& warp, Cycle earliest = 0);
    // When the block's copies have come, and its warps arrived, that the warp's wait needs; 0 for other
    // instructions.
    [[nodiscard]] Cycle wait_is_over(Warp& warp);
    [[nodiscard]] static std::int64_t copies_needed(Warp& warp);
    [[nodiscard]] bool has_what_it_needs(Warp& warp);
    [[nodiscard]] bool anybody_goes_on(const Warp& warp);
    void look_at_waits(int slot, Cycle earliest);
    [[nodiscard]] std::span<Warp> warps_of(int slot) {
        return std::span(warps_).subspan(static_cast<std::size_t>(slot * warps_per_block_),
                                         static_cast<std::size_t>(warps_per_block_));
    }
    void charge_until_issue(const Scheduler& s, Warp& warp, Cycle now);
    void charge(Warp& warp, Cycle until, StallReason reason) {
        if (until > warp.accounted) {
            account_.spent(warp.name, warp.op(), warp.accounted, until, reason);
            warp.accounted = until;
        }
    }
    [[nodiscard]] Scheduler& scheduler_of(const Warp& warp) {
        return schedulers_[static_cast<std::size_t>(warp.name.scheduler)];
    }

    [[nodiscard]] Warp& warp_at(const Scheduler& s, int place) {
        return warps_[static_cast<std::size_t>(s.warp[static_cast<std::size_t>(place)])];
    }

    const Machine& machine_;
    const DecodedProgram& decoded_;
    RunAccount& account_;
    CoreNeighbours& neighbours_;
    int warps_per_block_ = 1;
    std::vector<Warp> warps_;
    std::vector<BlockCopies> copies_;  // by slot
    bool counts_copies_ = false;       // some wait is for a known number of them, or of arrivals
    std::vector<Scheduler> schedulers_;
    Pipes pipes_;
    ConstantUnit constants_;
    std::unique_ptr<CodeSupply> code_;     // of all schedulers; null = not modelled
    Cycle now_ = 0;                        // of the last step
    std::vector<InstructionFetch> fetch_;  // by scheduler; empty = not modelled
    CodeLayout layout_;
};

}  // namespace gpumodel::sim
