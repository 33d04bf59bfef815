#include "traces/emulate/sass_block_source.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "base/diagnostics.h"
#include "base/note.h"
#include "traces/emulate/prepare/launch_check.h"
#include "traces/emulate/prepare/module_variables.h"
#include "traces/emulate/prepare/program.h"
#include "traces/emulate/run/block_runner.h"

namespace gpumodel {

namespace {

using emulate::BlockRunner;
using emulate::BlockState;
using emulate::Program;

std::vector<std::shared_ptr<const GivenData>> given_data(const KernelArguments& arguments) {
    std::vector<std::shared_ptr<const GivenData>> list;
    for (const auto& argument : arguments.list) {
        list.push_back(argument.data);
    }
    return list;
}

struct NoSink final : WarpSink {
    void straight(int, int, int, std::uint32_t) override {}
    void access(int, const AccessEvent&) override {}
};

// What is not known, or too much for an Instruction, is left at zero.
void set_wait(const emulate::CopyWait& wait, Instruction& instruction) {
    constexpr std::int64_t most_step = std::numeric_limits<std::int16_t>::max();
    constexpr std::int64_t most = std::numeric_limits<std::int32_t>::max();
    const bool known = wait.even && wait.first <= most && wait.step >= 0 && wait.step <= most_step;
    instruction.copies_first = known ? static_cast<std::int32_t>(wait.first) : 0;
    instruction.copies_step = known ? static_cast<std::int16_t>(wait.step) : std::int16_t{0};
    instruction.copies_alone = known && wait.alone;
    instruction.copies_ahead =
        known ? static_cast<std::int16_t>(std::min(wait.ahead, most_step)) : std::int16_t{0};
    const auto& arrivals = wait.arrivals;
    instruction.arrivals_known = !instruction.copies_alone && (known || !wait.any) && arrivals.even &&
                                 arrivals.first <= most_step && arrivals.others_first <= most_step &&
                                 arrivals.step >= 0 && arrivals.step <= most_step;
    const bool needs = instruction.arrivals_known && arrivals.from >= 0;
    const auto small = [needs](std::int64_t value) {
        return needs ? static_cast<std::int16_t>(value) : std::int16_t{0};
    };
    static_assert(emulate::ArrivalWait::most_first <= std::numeric_limits<std::int8_t>::max());
    instruction.arrivals_from = static_cast<std::int8_t>(small(arrivals.from));
    instruction.arrivals_first = small(arrivals.first);
    instruction.others_first = small(arrivals.others_first);
    instruction.arrivals_step = small(arrivals.step);
    instruction.arrivals_lag = small(std::clamp<std::int64_t>(arrivals.waited - 1, 0, most_step));
    instruction.arrivals_warps = needs ? arrivals.warps : 0;
    instruction.others_warps = needs ? arrivals.others : 0;
}

struct CountingSink final : WarpSink {
    void straight(int, int begin, int end, std::uint32_t) override { executed += end - begin; }
    void access(int, const AccessEvent&) override {}
    std::int64_t executed = 0;
};

class Source final : public SassBlockSource {
public:
    Source(Program program, const SassLaunch& launch)
        : program_(std::move(program)),
          launch_(launch),
          looking_(launch),
          device_(given_data(launch.arguments)) {
        looking_.most_instructions_per_warp = std::min(launch.most_instructions_per_warp, most_looked_at);
        if (program_.reads_variables) {
            ++notes_[noted(NoteId::constant_memory, emulate::variables_note)];
        }
        if (program_.in_clusters) {
            ++notes_[noted(
                NoteId::clusters,
                "blocks of a cluster are taken to be in step: arrivals and tiles from others are there "
                "when a block's own are")];
        }
        for (std::size_t i = 0; i < launch.arguments.list.size(); ++i) {
            if (launch.arguments.list[i].origin == KernelArgument::Origin::grid_barrier) {
                device_.set_grid_barrier(static_cast<std::int64_t>(i + 1));
                has_grid_barrier_ = true;
            }
        }
    }

    [[nodiscard]] const StaticCode& code() const override { return program_.code; }

    void run_block(const Dim3& block, WarpSink& sink) override {
        if (launch_.keeps_results && !is_first_of_cluster(block)) {
            return;  // its stores are there already
        }
        if (!launch_.keeps_results && !std::exchange(looked_at_others_, true)) {
            look_at_others();
        }
        if (program_.reads_global && !launch_.keeps_results) {
            device_.forget_stores();
            if (program_.swaps) {
                settle(block);
            }
        }
        run(block, sink, marks_, notes_);
        for (const auto& [number, copy] : copies_) {
            auto& instruction = program_.code.instructions[static_cast<std::size_t>(number)];
            instruction.bulk_bytes = static_cast<std::uint32_t>(copy.bytes);
            instruction.bulk_apart = copy.apart;
        }
        for (const auto& [number, wait] : copy_waits_) {
            set_wait(wait, program_.code.instructions[static_cast<std::size_t>(number)]);
        }
        for (const int number : arriving_) {
            program_.code.instructions[static_cast<std::size_t>(number)].arrives = true;
        }
        for (const auto& [number, seen] : matches_) {
            program_.code.instructions[static_cast<std::size_t>(number)].matched_values =
                static_cast<std::uint8_t>(
                    std::max<std::int64_t>(1, (seen.values + seen.executions / 2) / seen.executions));
        }
    }

    [[nodiscard]] std::vector<std::string> notes() const override {
        std::vector<std::string> list;
        for (const auto& [text, count] : notes_) {
            const auto note = read_note(text);
            list.push_back(
                noted(note.id, fmt::format("{} ({} time{})", note.text, count, count == 1 ? "" : "s")));
        }
        return list;
    }

    [[nodiscard]] DeviceArray contents(std::size_t argument) const override {
        const auto& given = launch_.arguments.list.at(argument);
        DeviceArray array;
        array.name = given.name;
        array.bytes.resize(static_cast<std::size_t>(given.allocation_bytes));
        array.unknown_bytes =
            device_.read(static_cast<std::int64_t>(argument + 1) << emulate::allocation_shift, array.bytes);
        return array;
    }

    [[nodiscard]] std::vector<UnknownData> unknown_data() const override {
        std::vector<UnknownData> list;
        for (const auto& [mark, count] : marks_) {
            const auto [instruction, what] = mark;
            list.push_back({what, static_cast<std::uint32_t>(program_.address_of(instruction)),
                            program_.texts[static_cast<std::size_t>(instruction)]});
        }
        return list;
    }

    [[nodiscard]] bool data_decides() const override { return program_.steered_by_data; }

    [[nodiscard]] std::int64_t shared_bytes_used() const override { return shared_extent_; }

private:
    // Warp instructions for which all blocks are executed side by side: seconds (`estimated`: 5 million a
    // second); what is kept of their reads: 400 to 800 MB. A warp that goes on for longer while blocks are
    // looked at waits for others. Threads side by side: of the H200's 270,336, as occupancy is a half more
    // often than whole (`estimated`). Warps of all blocks: 1 KiB each for what is kept, 256 MB.
    static constexpr std::int64_t most_beside_work = 20'000'000, most_kept_reads = 50'000'000,
                                  most_looked_at = 2'000'000, most_threads_beside = 135'168,
                                  most_warps_kept = 250'000;

    [[nodiscard]] std::int64_t place_of(const Dim3& block) const {
        return (block.z * launch_.grid.y + block.y) * launch_.grid.x + block.x;
    }
    [[nodiscard]] Dim3 block_at(std::int64_t place) const {
        const auto& grid = launch_.grid;
        return {place % grid.x, place / grid.x % grid.y, place / (grid.x * grid.y)};
    }
    [[nodiscard]] std::int64_t warps() const {
        return (launch_.block.count() + emulate::lane_count - 1) / emulate::lane_count;
    }
    [[nodiscard]] bool is_first_of_cluster(const Dim3& block) const {
        const auto& size = launch_.cluster;
        return block.x % size.x == 0 && block.y % size.y == 0 && block.z % size.z == 0;
    }

    // What a run finds out besides what its sink is told.
    struct Findings {
        emulate::DataMarks& marks;
        std::map<std::string, std::int64_t>& notes;
        std::int64_t& shared_extent;
        std::map<int, emulate::CountedCopy>& copies;
        std::map<int, emulate::CopyWait>& copy_waits;
        std::set<int>& arriving;
        std::map<int, emulate::MatchedValues>& matches;
    };

    // Where nobody asks for them.
    struct Unasked {
        emulate::DataMarks marks;
        std::map<std::string, std::int64_t> notes;
        std::int64_t extent = 0;
        std::map<int, emulate::CountedCopy> copies;
        std::map<int, emulate::CopyWait> copy_waits;
        std::set<int> arriving;
        std::map<int, emulate::MatchedValues> matches;
        [[nodiscard]] Findings findings() {
            return {marks, notes, extent, copies, copy_waits, arriving, matches};
        }
    };

    void run(const Dim3& block, WarpSink& sink, emulate::DataMarks& marks,
             std::map<std::string, std::int64_t>& notes) {
        run_cluster(block, sink, {marks, notes, shared_extent_, copies_, copy_waits_, arriving_, matches_});
    }

    [[nodiscard]] BlockState state_of(const Dim3& block, WarpSink& sink, Findings findings) {
        BlockState state;
        state.program = &program_;
        state.sink = &sink;
        state.index = block;
        state.local.resize(static_cast<std::size_t>(warps()));
        state.marks = &findings.marks;
        if (program_.reads_global) {
            state.local_taint.resize(static_cast<std::size_t>(warps()));
            state.device = &device_;
        }
        if (reads_) {
            state.logged = &reads_->allocations;
            state.log = &reads_->blocks[static_cast<std::size_t>(place_of(block))];
            state.log->rewind();
            state.paced = short_turns_;
        }
        // what a thread took of a counter is among its reads
        state.counters = counters_ && !reads_ ? &*counters_ : nullptr;
        state.swaps = probe_;
        state.place = place_of(block);
        state.notes = &findings.notes;
        state.shared_extent = &findings.shared_extent;
        state.copies = &findings.copies;
        state.copy_order.by_instruction = &findings.copy_waits;
        state.arriving = &findings.arriving;
        state.matches = &findings.matches;
        return state;
    }

    // Which counters the launch's blocks share, which swaps would lose against others, and what blocks leave
    // for those behind them.
    void look_at_others() {
        const auto count = launch_.grid.count();
        if (count > 1 && program_.counts) {
            counters_.emplace(count);
            for (const std::int64_t place : {std::int64_t{0}, count / 2, count - 1}) {
                counters_->found(run_unasked(place).counted);
            }
            counters_->settle();
        }
        if (program_.swaps) {
            emulate::SwapProbe probe;
            probe_ = &probe;
            for (const std::int64_t place : {std::int64_t{0}, count / 2}) {
                run_unasked(place);
            }
            probe_ = nullptr;
            for (const int number : probe.retried()) {
                program_.code.instructions[static_cast<std::size_t>(number)].retried = true;
            }
            // how often they come again is estimated (model/memory/swap_contention.h), not also found here:
            // blocks run one after another then
            short_turns_ = probe.retried().empty();
        }
        const bool alone = launch_.cluster.count() == 1 && !has_grid_barrier_;
        if (count > 1 && program_.steered_by_data && alone) {
            keep_reads();
        }
    }

    // Where blocks read what blocks store, and it can be afforded.
    void keep_reads() {
        const auto count = launch_.grid.count();
        device_.begin_noting();
        // those that do not finish wait for what other blocks leave
        std::int64_t executed = 0, finished = 0, samples = 0;
        for (const std::int64_t place : {std::int64_t{0}, count / 2, count - 1}) {
            const auto ran = run_unasked(place);
            executed += ran.finished ? ran.executed : 0;
            finished += ran.finished ? 1 : 0;
            ++samples;
            short_turns_ = short_turns_ && !(ran.finished && ran.locks);  // waits for locks are left out
        }
        device_.end_noting();
        const auto both = device_.read_and_stored();
        if (both.empty() || executed > most_beside_work / count * finished) {
            return;
        }
        if (warps() > most_warps_kept / count) {
            return;
        }
        reads_.emplace();
        reads_->allocations = both;
        const auto threads = static_cast<std::size_t>(warps() * emulate::lane_count);
        reads_->blocks.assign(static_cast<std::size_t>(count), emulate::ReadLog(threads));
        if (!run_side_by_side()) {
            reads_.reset();
            return;
        }
        ++notes_[noted(
            NoteId::blocks_side_by_side,
            short_turns_
                ? "blocks read what others store: they are taken to run side by side, all warps at one pace"
                : "blocks read what others store: each is taken to find what all before it left, as locks "
                  "and "
                  "swaps that lose are estimated apart")];
        if (finished < samples) {
            ++notes_[noted(NoteId::waits_for_blocks,
                           "blocks wait for what others store: how long is known by their steps alone")];
        }
    }

    // One of the blocks that run side by side; nobody asks anything of it.
    struct Beside {
        Unasked unasked;
        BlockState state;
        std::unique_ptr<BlockRunner> runner;
    };

    std::shared_ptr<BlockRunner> start_beside(std::int64_t place, WarpSink& sink) {
        const auto block = std::make_shared<Beside>();
        block->state = state_of(block_at(place), sink, block->unasked.findings());
        block->state.logs = true;
        block->runner = std::make_unique<BlockRunner>(program_, looking_, block->state, slots_);
        if (short_turns_) {
            block->runner->take_short_turns();
        }
        return {block, block->runner.get()};
    }

    [[nodiscard]] std::int64_t kept_reads() const {
        std::int64_t kept = 0;
        for (const auto& block : reads_->blocks) {
            kept += block.size();
        }
        return kept;
    }

    // All blocks on one memory; false where they do not come to an end, or take too much.
    bool run_side_by_side() {
        device_.forget_stores();
        CountingSink sink;
        std::int64_t next = 0;
        const auto start = [&]() -> std::shared_ptr<BlockRunner> {
            return next == launch_.grid.count() ? nullptr : start_beside(next++, sink);
        };
        std::int64_t checked = 0;
        const auto check = [&] {
            constexpr std::int64_t between = 250'000;  // instructions, of up to 32 reads
            if (sink.executed - checked < between) {
                return;
            }
            checked = sink.executed;
            if (sink.executed > 2 * most_beside_work || kept_reads() > most_kept_reads) {
                throw InputError(InputErrorKind::invalid_input, {});
            }
        };
        const auto most =
            short_turns_ ? std::max<std::int64_t>(1, most_threads_beside / launch_.block.count()) : 1;
        try {
            BlockRunner::run_side_by_side(static_cast<std::size_t>(most), start, check);
        } catch (const InputError&) {
            return false;
        }
        return true;
    }

    struct Ran {
        bool finished = true, locks = false;
        std::int64_t executed = 0;
        emulate::SharedCounters::Words counted;
    };
    // Alone, as far as it comes.
    Ran run_unasked(std::int64_t place) {
        CountingSink sink;
        Unasked unasked;
        Ran ran;
        device_.forget_stores();
        try {
            run_cluster(block_at(place), sink, unasked.findings(), &ran.counted);
        } catch (const InputError&) {
            ran.finished = false;  // whoever asks for the block is told
        }
        ran.executed = sink.executed;
        ran.locks = std::any_of(unasked.notes.begin(), unasked.notes.end(), [](const auto& note) {
            return read_note(note.first).id == NoteId::waits_for_locks;
        });
        return ran;
    }

    // The others of the block's cluster run beside it, and nobody is told of them. `counted`: asked for by
    // who looks at other blocks, for whom a warp may not take long.
    void run_cluster(const Dim3& block, WarpSink& sink, Findings findings,
                     emulate::SharedCounters::Words* counted = nullptr) {
        const auto& size = launch_.cluster;
        const Dim3 first{block.x / size.x * size.x, block.y / size.y * size.y, block.z / size.z * size.z};
        NoSink nobody;
        Unasked unasked;
        std::vector<BlockState> states;
        for (std::int64_t i = 0; i < size.count(); ++i) {
            const Dim3 index{first.x + i % size.x, first.y + i / size.x % size.y,
                             first.z + i / (size.x * size.y)};
            states.push_back(index == block ? state_of(index, sink, findings)
                                            : state_of(index, nobody, unasked.findings()));
        }
        std::vector<std::unique_ptr<BlockRunner>> runners;
        for (auto& state : states) {
            state.rank = static_cast<std::uint32_t>(&state - states.data());
            for (auto& other : states) {
                if (states.size() > 1) {
                    state.cluster.push_back(&other);
                }
            }
            runners.push_back(std::make_unique<BlockRunner>(program_, counted != nullptr ? looking_ : launch_,
                                                            state, slots_));
            if (reads_ && short_turns_) {
                runners.back()->take_short_turns();
            }
        }
        const auto own = std::find_if(states.begin(), states.end(),
                                      [&](const BlockState& state) { return state.index == block; });
        try {
            BlockRunner::run(runners);
        } catch (const InputError&) {
            if (counted != nullptr) {
                *counted = own->counted;
            }
            throw;
        }
        if (counted != nullptr) {
            *counted = own->counted;
        }
    }

    // The predicted time is that of launches in a row: where a loop around a compare-and-swap has come to an
    // end of changing a word, the launch before has left it so. From zeros each block would go that way anew.
    void settle(const Dim3& block) {
        NoSink nobody;
        emulate::DataMarks marks;
        std::map<std::string, std::int64_t> notes;
        run(block, nobody, marks, notes);
        device_.forget_unsettled();
    }

    Program program_;
    emulate::SlotPool slots_{program_};
    SassLaunch launch_, looking_;
    emulate::DeviceMemory device_;
    bool looked_at_others_ = false, has_grid_barrier_ = false, short_turns_ = true;
    std::optional<emulate::GridReads> reads_;
    std::optional<emulate::SharedCounters> counters_;
    emulate::SwapProbe* probe_ = nullptr;
    emulate::DataMarks marks_;
    std::map<std::string, std::int64_t> notes_;
    std::int64_t shared_extent_ = 0;
    std::map<int, emulate::CountedCopy> copies_;
    std::map<int, emulate::CopyWait> copy_waits_;
    std::set<int> arriving_;
    std::map<int, emulate::MatchedValues> matches_;
};

int registers_of(const SassFunction& function) {
    int most = 0;
    for (const auto& instruction : function.instructions) {
        for (const auto& operand : instruction.operands) {
            if (operand.kind == OperandKind::reg && operand.index != sass_rz) {
                most = std::max(most, operand.index + operand.width);
            }
            if (operand.base != sass_no_register && operand.base != sass_rz) {
                most = std::max(most, operand.base + (operand.wide_address ? 2 : 1));
            }
        }
    }
    return most;
}

}  // namespace

std::unique_ptr<SassBlockSource> make_sass_source(const SassFunction& function, const SassLaunch& launch) {
    auto clustered = launch;
    if (function.resources && function.resources->cluster[0] > 0) {
        const auto& [x, y, z] = function.resources->cluster;
        clustered.cluster = {x, y, z};
    }
    emulate::check_launch(function, clustered);
    const auto whole = emulate::with_module_variables(function, clustered);
    const auto filled = emulate::filled_in(function, whole);
    return std::make_unique<Source>(emulate::build_program(filled ? *filled : function, whole), whole);
}

std::vector<DeviceArray> execute_grid(const SassFunction& function, SassLaunch launch,
                                      const std::function<void()>& each) {
    launch.keeps_results = true;
    const auto source = make_sass_source(function, launch);
    NoSink sink;
    for (std::int64_t z = 0; z < launch.grid.z; ++z) {
        for (std::int64_t y = 0; y < launch.grid.y; ++y) {
            for (std::int64_t x = 0; x < launch.grid.x; ++x) {
                source->run_block({x, y, z}, sink);
                if (each) {
                    each();
                }
            }
        }
    }
    std::vector<DeviceArray> arrays;
    for (std::size_t i = 0; i < launch.arguments.list.size(); ++i) {
        arrays.push_back(source->contents(i));
    }
    return arrays;
}

LaunchContext launch_context(const SassFunction& function, const SassLaunch& launch) {
    LaunchContext context;
    context.kernel = function.name;
    context.grid = launch.grid;
    context.block = launch.block;
    context.resources.threads = static_cast<int>(launch.block.count());
    context.resources.registers_per_thread = registers_of(function);
    context.resources.registers_estimated = false;
    context.resources.registers_source = "listing, highest register used";
    if (function.resources) {
        const auto& reserved = *function.resources;
        if (reserved.registers) {
            context.resources.registers_per_thread = *reserved.registers;
            context.resources.registers_source = "listing (-elf)";
        }
        const bool hopper = emulate::architecture_number(function.arch) >= 90;
        context.resources.static_shared_bytes =
            std::max<std::int64_t>(0, reserved.shared_bytes - (hopper ? emulate::hopper_reserved_bytes : 0));
    }
    if (launch.static_shared_bytes) {
        context.resources.static_shared_bytes = *launch.static_shared_bytes;
    }
    context.resources.dynamic_shared_bytes = launch.dynamic_shared_bytes;
    for (const auto& argument : emulate::with_module_variables(function, launch).arguments.list) {
        if (argument.is_allocation()) {
            context.arrays.push_back({argument.name, argument.allocation_bytes, false, false});
        }
    }
    return context;
}

}  // namespace gpumodel
