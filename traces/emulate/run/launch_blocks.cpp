#include "traces/emulate/run/launch_blocks.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "base/diagnostics.h"
#include "traces/emulate/run/quiet_sinks.h"

namespace gpumodel::emulate {
namespace {

std::vector<std::shared_ptr<const GivenData>> given_data(const KernelArguments& arguments) {
    std::vector<std::shared_ptr<const GivenData>> list;
    for (const auto& argument : arguments.list) {
        list.push_back(argument.data);
    }
    return list;
}

// One of the blocks that run side by side.
struct Beside {
    BlockFindings findings;
    BlockState state;
    std::unique_ptr<BlockRunner> runner;
};

}  // namespace

LaunchBlocks::LaunchBlocks(const Program& program, const SassLaunch& launch)
    : program_(program),
      launch_(launch),
      looking_(launch),
      slots_(program),
      device_(given_data(launch.arguments)) {
    looking_.most_instructions_per_warp = std::min(launch.most_instructions_per_warp, most_looked_at);
    for (std::size_t i = 0; i < launch.arguments.list.size(); ++i) {
        if (launch.arguments.list[i].origin == KernelArgument::Origin::grid_barrier) {
            grid_barrier_ = static_cast<std::int64_t>(i + 1);
        }
    }
    keep_grid_barrier(true);
}

std::int64_t LaunchBlocks::warps_per_block() const {
    return (threads_per_block() + lane_count - 1) / lane_count;
}

std::int64_t LaunchBlocks::place_of(const Dim3& block) const {
    return (block.z * launch_.grid.y + block.y) * launch_.grid.x + block.x;
}

Dim3 LaunchBlocks::block_at(std::int64_t place) const {
    const auto& grid = launch_.grid;
    return {place % grid.x, place / grid.x % grid.y, place / (grid.x * grid.y)};
}

bool LaunchBlocks::is_first_of_cluster(const Dim3& block) const {
    const auto& size = launch_.cluster;
    return block.x % size.x == 0 && block.y % size.y == 0 && block.z % size.z == 0;
}

BlockState LaunchBlocks::state_of(const Dim3& block, WarpSink& sink, BlockFindings& findings) {
    BlockState state;
    state.program = &program_;
    state.sink = &sink;
    state.index = block;
    state.place = place_of(block);
    state.local.resize(static_cast<std::size_t>(warps_per_block()));
    if (program_.reads_global) {
        state.local_taint.resize(static_cast<std::size_t>(warps_per_block()));
        state.device = &device_;
    }
    if (others_.reads) {
        state.logged = &others_.reads->allocations;
        state.log = &others_.reads->blocks[static_cast<std::size_t>(state.place)];
        state.log->rewind();
        state.paced = true;
    }
    // what a thread took of a counter is among its reads
    state.counters = others_.counters && !others_.reads ? &*others_.counters : nullptr;
    state.swaps = others_.probe;
    state.marks = &findings.marks;
    state.notes = &findings.notes;
    state.shared_extent = &findings.shared_extent;
    state.copies = &findings.copies;
    state.copy_order.by_instruction = &findings.copy_waits;
    state.arriving = &findings.arriving;
    state.matches = &findings.matches;
    return state;
}

void LaunchBlocks::run(const Dim3& block, WarpSink& sink, BlockFindings& findings) {
    SharedCounters::Words counted;
    run_cluster(block, sink, findings, launch_, counted);
}

LaunchBlocks::Look LaunchBlocks::look_at(std::int64_t place) {
    CountingSink sink;
    BlockFindings findings;
    Look look;
    device_.forget_stores();
    try {
        run_cluster(block_at(place), sink, findings, looking_, look.counted);
    } catch (const InputError&) {
        look.finished = false;  // whoever asks for the block is told
    }
    look.executed = sink.executed;
    return look;
}

std::shared_ptr<BlockRunner> LaunchBlocks::start_beside(std::int64_t place, WarpSink& sink) {
    const auto block = std::make_shared<Beside>();
    block->state = state_of(block_at(place), sink, block->findings);
    block->state.logs = true;
    block->runner = std::make_unique<BlockRunner>(program_, looking_, block->state, slots_);
    block->runner->take_short_turns();
    return {block, block->runner.get()};
}

void LaunchBlocks::run_cluster(const Dim3& block, WarpSink& sink, BlockFindings& findings,
                               const SassLaunch& rules, SharedCounters::Words& counted) {
    const auto& size = launch_.cluster;
    const Dim3 first{block.x / size.x * size.x, block.y / size.y * size.y, block.z / size.z * size.z};
    NoSink nobody;
    BlockFindings unasked;
    std::vector<BlockState> states;
    for (std::int64_t i = 0; i < size.count(); ++i) {
        const Dim3 index{first.x + i % size.x, first.y + i / size.x % size.y,
                         first.z + i / (size.x * size.y)};
        states.push_back(index == block ? state_of(index, sink, findings) : state_of(index, nobody, unasked));
    }
    std::vector<std::unique_ptr<BlockRunner>> runners;
    for (auto& state : states) {
        state.rank = static_cast<std::uint32_t>(&state - states.data());
        for (auto& other : states) {
            if (states.size() > 1) {
                state.cluster.push_back(&other);
            }
        }
        runners.push_back(std::make_unique<BlockRunner>(program_, rules, state, slots_));
        if (others_.reads) {
            runners.back()->take_short_turns();
        }
    }
    auto& own = *std::find_if(states.begin(), states.end(),
                              [&](const BlockState& state) { return state.index == block; });
    try {
        BlockRunner::run(runners);
    } catch (const InputError&) {
        counted = std::move(own.counted);
        throw;
    }
    counted = std::move(own.counted);
}

}  // namespace gpumodel::emulate
