// Runs the warps of one block: which path of a warp goes on, who waits for whom.
//
// A warp is a set of paths, lanes with a common program counter. Paths split at branches that lanes take
// differently, and join only where the hardware makes them: BSYNC and WARPSYNC on Volta and later, the
// stack's convergence points on Kepler. A path runs until it waits or ends; a warp until all its paths do or
// it yields; warps take turns, also one that only waits in a loop for what another may change, or
// has taken a number from a counter that blocks share.
#pragma once

#include <memory>

#include "traces/emulate/prepare/program.h"
#include "traces/emulate/run/block_state.h"
#include "traces/emulate/run/repetition.h"
#include "traces/emulate/run/slot_pool.h"

namespace gpumodel::emulate {

class BlockRunner {
public:
    // All have to outlive it.
    BlockRunner(const Program& program, const SassLaunch& launch, BlockState& state, SlotPool& slots);
    ~BlockRunner();
    BlockRunner(const BlockRunner&) = delete;
    BlockRunner& operator=(const BlockRunner&) = delete;

    // Runs the blocks of a cluster, or one alone, to their ends. Throws InputError (invalid input) for
    // endless loops, deadlocks and jumps to nowhere.
    static void run(const std::vector<std::unique_ptr<BlockRunner>>& cluster);

    // A turn of each warp is a few steps (`estimated`) from now on, as where all run side by side. Where
    // BlockState::paced it ends with a read of what other blocks change: a trip to L2 is the pace at which
    // they go on.
    void take_short_turns() { steps_per_turn_ = 16; }

    // For who decides whose turn it is (side_by_side.h).
    enum class Turn : unsigned char { waits, yields, repeats, ends };
    [[nodiscard]] std::size_t warps() const { return warps_.size(); }
    // Of a warp that has not ended.
    Turn take_turn(std::size_t warp);
    // Those at which all have come; true if some warp goes on.
    bool release_barriers() { return release_block_barriers(); }
    [[nodiscard]] bool can_go_on(std::size_t warp) const;
    [[nodiscard]] std::uint64_t memory_changes() const { return state_.memory_changes(); }
    [[noreturn]] void fail_deadlock() const;
    [[noreturn]] void fail_endless() const;

private:
    // What a turn of each warp came to.
    struct Round {
        bool running = false;     // some warp has not ended
        bool worked = false;      // some warp waits, or has ended
        bool progress = false;    // something was executed or released
        bool repeats = false;     // some warp only waits in a loop for something to change
        bool others_wait = true;  // and all others execute nothing
        bool released = false;    // a barrier

        void add(const Round& other);
    };
    [[nodiscard]] Round round();
    // All warps wait at the cluster's barrier, or have ended.
    [[nodiscard]] bool is_at_cluster_barrier() const;
    // Where all blocks are at it.
    static bool release_cluster_barrier(const std::vector<std::unique_ptr<BlockRunner>>& cluster);

    void start_warp(Warp& warp, int index);
    Turn take_turn(Warp& warp);
    // Runs one code block; true if the path may go straight on.
    bool step(Warp& warp);
    [[nodiscard]] bool passes(Warp& warp, const CodeBlock& block, std::uint32_t path);
    void run_ops(Warp& warp, const CodeBlock& block, std::uint32_t path);
    // The lanes of the path that take the block's end, as they are taken to be where data are unknown.
    std::uint32_t judge_end(Warp& warp, const CodeBlock& block, std::uint32_t taken);
    bool end_block(Warp& warp, const CodeBlock& block);
    bool end_with_jump(Warp& warp, const CodeBlock& block, std::uint32_t taken);
    bool end_indirect(Warp& warp, const CodeBlock& block, std::uint32_t taken);
    bool end_with_call_outside(const Warp& warp, const CodeBlock& block);
    bool end_with_exit(Warp& warp, std::uint32_t taken);
    bool end_with_wait(Warp& warp, std::uint32_t taken, Wait wait, std::uint32_t wait_for);
    bool end_with_warp_sync(Warp& warp, const Lanes& masks, std::uint32_t taken);
    bool end_with_meeting(Warp& warp, const CodeBlock& block, std::uint32_t taken);
    bool end_with_unwinding(Warp& warp, std::uint32_t taken, Meeting::Kind kind, bool top_only);
    bool end_with_call(Warp& warp, const CodeBlock& block);
    bool end_with_barrier(Warp& warp, const CodeBlock& block, std::uint32_t taken);

    // The lanes of `taken` become a path of their own, the current one keeps the others. Returns its index.
    std::size_t split(Warp& warp, std::uint32_t taken, int block);
    void remove_path(Warp& warp, std::size_t path);
    bool release_meetings(Warp& warp);
    void give_way(Warp& warp);
    static void part_from_those_that_wait(Warp& warp);
    bool release_meeting(Warp& warp, std::uint32_t meeting);
    bool release_warp_sync(Warp& warp);
    bool release_block_barriers();
    bool release_block_barrier(std::uint32_t number, bool complete);
    [[nodiscard]] bool barrier_is_complete(std::uint32_t number) const;
    void set_barrier_results(std::uint32_t number);
    [[noreturn]] void fail(const Warp& warp, int instruction, const std::string& what) const;
    [[nodiscard]] const CodeBlock& code_block(int index) const {
        return program_.blocks[static_cast<std::size_t>(index)];
    }

    static constexpr std::size_t barrier_numbers = cluster_barrier_number + 1;
    struct BlockBarrier {
        bool used = false;
        std::int64_t expected = 0;  // threads; 0 = all that run
        std::int64_t arrived = 0;   // threads, with those that do not wait
        std::uint32_t count = 0;    // BAR.RED: votes
        bool all = true, any = false, tainted = false;
        std::uint8_t reduction = 0;
    };

    const Program& program_;
    SlotPool& slots_;
    Dim3 dimensions_;
    std::int64_t most_instructions_;
    int steps_per_turn_;
    bool allow_unknown_;
    BlockState& state_;
    TaintTracker taint_;
    Repetition repetition_;
    std::vector<Warp> warps_;
    std::array<BlockBarrier, barrier_numbers> barriers_{};
};

}  // namespace gpumodel::emulate
