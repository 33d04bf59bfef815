// Executes the blocks of a launch, one at a time or with those of their cluster, as often as somebody asks.
// What they find that other blocks did is told by OthersWork (other_blocks.h finds it out).
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "traces/emulate/data/device_memory.h"
#include "traces/emulate/data/read_log.h"
#include "traces/emulate/data/shared_counters.h"
#include "traces/emulate/data/swap_probe.h"
#include "traces/emulate/prepare/program.h"
#include "traces/emulate/run/block_runner.h"
#include "traces/emulate/run/block_state.h"
#include "traces/emulate/run/slot_pool.h"

namespace gpumodel::emulate {

struct OthersWork {
    std::optional<SharedCounters> counters;  // none: each block takes all numbers of a counter
    std::optional<GridReads> reads;          // what threads found of others' stores; none: what is there
    SwapProbe* probe = nullptr;              // nullptr: swaps are as they are
};

class LaunchBlocks {
public:
    // `program` and `launch` have to outlive it.
    LaunchBlocks(const Program& program, const SassLaunch& launch);
    LaunchBlocks(const LaunchBlocks&) = delete;
    LaunchBlocks& operator=(const LaunchBlocks&) = delete;

    [[nodiscard]] DeviceMemory& device() { return device_; }
    [[nodiscard]] const DeviceMemory& device() const { return device_; }
    [[nodiscard]] OthersWork& others() { return others_; }
    // The allocation of the grid's barrier, where the launch has one. From keep_grid_barrier(false) on it is
    // memory as any other, at which blocks that run side by side wait for one another; before, each block
    // finds that all others have come.
    [[nodiscard]] std::optional<std::int64_t> grid_barrier() const { return grid_barrier_; }
    void keep_grid_barrier(bool keep) { device_.set_grid_barrier(keep ? grid_barrier_.value_or(-1) : -1); }

    [[nodiscard]] std::int64_t count() const { return launch_.grid.count(); }
    [[nodiscard]] std::int64_t warps_per_block() const;
    [[nodiscard]] std::int64_t threads_per_block() const { return launch_.block.count(); }
    // That the GPU holds; 0: not known.
    [[nodiscard]] std::int64_t at_once() const { return launch_.blocks_at_once; }
    // Blocks start in the order of their places.
    [[nodiscard]] std::int64_t place_of(const Dim3& block) const;
    [[nodiscard]] Dim3 block_at(std::int64_t place) const;
    [[nodiscard]] bool is_first_of_cluster(const Dim3& block) const;

    // The others of the block's cluster run beside it, and nobody is told of them. Throws as BlockRunner.
    void run(const Dim3& block, WarpSink& sink, BlockFindings& findings);

    // What came of a block that ran alone for a look at it.
    struct Look {
        bool finished = true;
        std::int64_t executed = 0;
        SharedCounters::Words counted;
    };
    // On what the launch begins with, as far as it comes; a warp may not take long.
    [[nodiscard]] Look look_at(std::int64_t place);

    // Of a block that runs beside others: its reads are added to what is kept, and nobody asks more of it.
    [[nodiscard]] std::shared_ptr<BlockRunner> start_beside(std::int64_t place, WarpSink& sink);

private:
    // A warp that goes on for longer while blocks are looked at waits for others.
    static constexpr std::int64_t most_looked_at = 2'000'000;

    [[nodiscard]] BlockState state_of(const Dim3& block, WarpSink& sink, BlockFindings& findings);
    // `look`: by whom it is run (launch_ or looking_); the words that the block counted at go to `counted`.
    void run_cluster(const Dim3& block, WarpSink& sink, BlockFindings& findings, const SassLaunch& rules,
                     SharedCounters::Words& counted);

    const Program& program_;
    const SassLaunch& launch_;
    SassLaunch looking_;
    SlotPool slots_;
    DeviceMemory device_;
    std::optional<std::int64_t> grid_barrier_;
    OthersWork others_;
};

}  // namespace gpumodel::emulate
