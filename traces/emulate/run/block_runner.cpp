#include "traces/emulate/run/block_runner.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <utility>

#include "base/diagnostics.h"
#include "base/note.h"
#include "base/process.h"
#include "traces/emulate/operations/lane_operations.h"

namespace gpumodel::emulate {

namespace {

using Kind = Terminator::Kind;

// Steps after which a running warp lets others go on: one may wait in a loop for what another stores (such
// loops are mostly noticed long before). So many that a loop without end meets its limit in the first turn.
constexpr int steps_per_long_turn = 1 << 24;

constexpr const char* rare_case_note =
    "leads around the rare cases of a division or a root; its values, which nobody gave, are taken as "
    "ordinary";

constexpr const char* memory_hint = "device memory reads as zero, so that a loop may wait for it in vain";

// Rounds in which all warps only wait in loops for something to change.
constexpr std::int64_t most_idle_rounds = 100'000;

}  // namespace

BlockRunner::BlockRunner(const Program& program, const SassLaunch& launch, BlockState& state, SlotPool& slots)
    : program_(program),
      slots_(slots),
      dimensions_(launch.block),
      most_instructions_(launch.most_instructions_per_warp),
      steps_per_turn_(steps_per_long_turn),
      allow_unknown_(launch.allow_unknown),
      state_(state),
      taint_(*state.marks) {
    const auto count = (dimensions_.count() + lane_count - 1) / lane_count;
    warps_.resize(static_cast<std::size_t>(count));
    for (std::size_t w = 0; w < warps_.size(); ++w) {
        start_warp(warps_[w], static_cast<int>(w));
    }
}

BlockRunner::~BlockRunner() {
    for (auto& warp : warps_) {
        slots_.give(std::move(warp.slots));
    }
}

void BlockRunner::start_warp(Warp& warp, int index) {
    warp.index = index;
    warp.block = &state_;
    warp.slots = slots_.take();
    if (state_.device != nullptr) {
        warp.taint = std::make_unique<WarpTaint>();
        warp.taint->slots.assign(program_.slot_count, 0);
        for (const auto slot : program_.open_slots) {
            warp.taint->slots[slot] = all_lanes;
        }
    }
    warp.predicates[true_predicate] = all_lanes;
    warp.predicates[first_uniform_predicate + true_predicate] = all_lanes;
    for (std::size_t i = 0; i < lane_count; ++i) {
        const auto thread = static_cast<std::int64_t>(index) * lane_count + static_cast<std::int64_t>(i);
        warp.thread[0].at[i] = static_cast<u32>(thread % dimensions_.x);
        warp.thread[1].at[i] = static_cast<u32>(thread / dimensions_.x % dimensions_.y);
        warp.thread[2].at[i] = static_cast<u32>(thread / (dimensions_.x * dimensions_.y));
        warp.alive |= thread < dimensions_.count() ? lane_bit[i] : 0;
    }
    Path path;
    path.mask = warp.alive;
    warp.paths.push_back(std::move(path));
}

void BlockRunner::Round::add(const Round& other) {
    running = running || other.running;
    worked = worked || other.worked;
    progress = progress || other.progress;
    repeats = repeats || other.repeats;
    others_wait = others_wait && other.others_wait;
    released = released || other.released;
}

BlockRunner::Round BlockRunner::round() {
    Round round;
    for (auto& warp : warps_) {
        const auto before = warp.executed;
        const auto turn = warp.paths.empty() ? Turn::yields : take_turn(warp);
        round.worked = round.worked || turn == Turn::waits || turn == Turn::ends;
        round.repeats = round.repeats || turn == Turn::repeats;
        round.others_wait = round.others_wait && (turn == Turn::repeats || warp.executed == before);
        round.progress = round.progress || warp.executed != before;
        round.running = round.running || !warp.paths.empty();
    }
    round.released = release_block_barriers();
    return round;
}

void BlockRunner::run(const std::vector<std::unique_ptr<BlockRunner>>& cluster) {
    const auto memory_changes = [&] {
        std::uint64_t changes = 0;
        for (const auto& runner : cluster) {
            changes += runner->state_.memory_changes();
        }
        return changes;
    };
    std::int64_t idle_rounds = 0;
    for (bool running = true; running;) {
        const auto changes = memory_changes();
        Round all;
        const BlockRunner* late = cluster.front().get();  // the last that has not ended
        for (const auto& runner : cluster) {
            const auto round = runner->round();
            late = round.running ? runner.get() : late;
            all.add(round);
        }
        all.released = release_cluster_barrier(cluster) || all.released;
        running = all.running;
        if (all.repeats && all.others_wait && !all.released && changes == memory_changes()) {
            late->fail_endless();
        }
        idle_rounds = all.worked ? 0 : idle_rounds + 1;
        if (running && ((!all.progress && !all.released) || idle_rounds > most_idle_rounds)) {
            late->fail_deadlock();
        }
    }
}

BlockRunner::Turn BlockRunner::take_turn(std::size_t warp) {
    if (state_.device != nullptr) {
        state_.device->set_accessor(static_cast<std::int32_t>(state_.place));
    }
    return take_turn(warps_[warp]);
}

bool BlockRunner::can_go_on(std::size_t warp) const {
    const auto& paths = warps_[warp].paths;
    return std::any_of(paths.begin(), paths.end(), [](const Path& path) { return path.wait == Wait::none; });
}

BlockRunner::Turn BlockRunner::take_turn(Warp& warp) {
    stop_if_asked();
    int steps = 0;
    while (!warp.paths.empty()) {
        const auto ready = std::find_if(warp.paths.begin(), warp.paths.end(),
                                        [](const Path& path) { return path.wait == Wait::none; });
        if (ready == warp.paths.end()) {
            if (release_meetings(warp) || release_warp_sync(warp)) {
                continue;
            }
            return Turn::waits;
        }
        warp.current = static_cast<std::size_t>(ready - warp.paths.begin());
        bool repeats = false;
        while (step(warp) && !repeats) {
            repeats = repetition_.found(warp, ++steps);
            if (steps == steps_per_turn_ || warp.paused) {
                break;
            }
        }
        const bool over = steps >= steps_per_turn_ || std::exchange(warp.yielded, false) || repeats;
        if (over) {
            // the next turn begins with another path, if there is one
            const auto current = warp.paths.begin() + static_cast<std::ptrdiff_t>(warp.current);
            std::rotate(current, current + 1, warp.paths.end());
        }
        release_meetings(warp);
        release_warp_sync(warp);
        if (std::exchange(warp.paused, false)) {
            return Turn::yields;
        }
        if (over) {
            const auto ready_paths = std::count_if(warp.paths.begin(), warp.paths.end(),
                                                   [](const Path& path) { return path.wait == Wait::none; });
            return repeats && ready_paths == 1 ? Turn::repeats : Turn::yields;
        }
    }
    return Turn::ends;
}

bool BlockRunner::step(Warp& warp) {
    const auto& path = warp.paths[warp.current];
    if (path.block >= static_cast<int>(program_.blocks.size())) {
        fail(warp, program_.blocks.back().end - 1, "runs over the end of the function");
    }
    const auto& block = code_block(path.block);
    if (!block.reachable) {
        fail(warp, block.begin, "is reached in a way that the analysis of branches did not foresee");
    }
    const bool retries = block.last.kind == Kind::retry;
    if (retries && !passes(warp, block, path.mask)) {
        warp.yielded = true;
        return false;
    }
    // an arrival or a barrier counts where some lane makes it: others are a path of no lanes
    const bool guarded_barrier =
        block.last.kind == Kind::block_barrier && block.last.guard.index != true_predicate;
    const int apart = block.last.arrives || guarded_barrier ? 1 : 0;
    if (block.begin < block.end - apart) {
        state_.sink->straight(warp.index, block.begin, block.end - apart, path.mask);
    }
    if (!retries) {
        run_ops(warp, block, path.mask);
    }
    if (apart > 0) {
        const bool any = (path.mask & warp.predicate(block.last.guard)) != 0;
        state_.sink->straight(warp.index, block.end - 1, block.end, any ? path.mask : 0);
    }
    warp.executed += block.end - block.begin;
    if (warp.executed > most_instructions_) {
        fail(warp, block.begin,
             fmt::format(
                 "is in an endless loop: the warp has executed {} instructions (--max-instructions); {}",
                 warp.executed, memory_hint));
    }
    return end_block(warp, block);
}

// What a wait asks for, which changes nothing, holds in all lanes that ask.
bool BlockRunner::passes(Warp& warp, const CodeBlock& block, u32 path) {
    run_ops(warp, block, path);
    const u32 asking = path & warp.predicate(block.last.guard);
    return (asking & ~warp.predicate(block.last.condition)) == 0;
}

void BlockRunner::run_ops(Warp& warp, const CodeBlock& block, u32 path) {
    const auto* op = program_.ops.data() + block.op_begin;
    const auto* const end = program_.ops.data() + block.op_end;
    for (; op != end; ++op) {
        const u32 mask = warp.predicate(op->guard) & (op->uniform ? all_lanes : path);
        if (warp.taint) {
            taint_.run(warp, *op, path, mask);
        } else if (mask != 0 || op->reports) {
            op->run(warp, *op, mask);
        }
    }
}

namespace {

// How often another warp's swap finds room between a load and its swap: by the tries that sums to random
// words of 4 and 8 warps take on the H200 (validate/microbench/shared_swaps). Who has lost comes again
// together with others.
bool lets_others_in(Warp& warp) {
    constexpr std::uint32_t of = 5;
    return warp.swap_tries++ % of == 0 || warp.lost_swap;
}

}  // namespace

bool BlockRunner::end_block(Warp& warp, const CodeBlock& block) {
    auto& path = warp.paths[warp.current];
    const auto& last = block.last;
    ++path.block;
    if (last.kind == Kind::fall || last.kind == Kind::retry) {
        return true;
    }
    u32 taken = path.mask & warp.predicate(last.guard) & warp.predicate(last.condition);
    if (warp.taint) {
        taken = judge_end(warp, block, taken);
    }
    if (last.any && taken != 0) {
        taken = path.mask;
    }
    if (taken == 0 && last.kind != Kind::jump_if_diverged) {
        return true;
    }
    switch (last.kind) {
        case Kind::jump:
            return end_with_jump(warp, block, taken);
        case Kind::jump_if_diverged: {
            const u32 together = warp.slots[last.slot].at[0] & warp.alive;
            // its guard says whom to compare, not who jumps: behind R2UR those of the first lane's mask, and
            // where lanes have other masks all take the way that serves one mask after the other
            return taken != together && taken != 0 ? end_with_jump(warp, block, path.mask) : true;
        }
        case Kind::indirect:
            return end_indirect(warp, block, taken);
        case Kind::exit:
            return end_with_exit(warp, taken);
        case Kind::meet:
            return end_with_meeting(warp, block, taken);
        case Kind::loop_break:
            return end_with_unwinding(warp, taken, Meeting::Kind::loop_break, false);
        case Kind::loop_continue:
            return end_with_unwinding(warp, taken, Meeting::Kind::loop_continue, false);
        case Kind::call:
            return end_with_call(warp, block);
        case Kind::ret:
            return end_with_unwinding(warp, taken, Meeting::Kind::call, false);
        case Kind::block_barrier:
            return end_with_barrier(warp, block, taken);
        case Kind::warp_sync:
            return end_with_warp_sync(warp, warp.slots[last.slot], taken);
        case Kind::before_swap:
            warp.paused = lets_others_in(warp);
            return !warp.paused;
        case Kind::yield:
            warp.yielded = true;
            give_way(warp);
            return false;
        case Kind::fence:
            warp.paused = state_.paced;
            return !warp.paused;
        case Kind::pause:
            warp.paused = true;
            return false;
        case Kind::leaves:
            return end_with_call_outside(warp, block);
        case Kind::fall:
        case Kind::retry:
        case Kind::unsupported:
            break;
    }
    fail(warp, block.end - 1, program_.problems[static_cast<std::size_t>(block.end) - 1]);
}

u32 BlockRunner::judge_end(Warp& warp, const CodeBlock& block, u32 taken) {
    const u32 tainted = TaintTracker::at_end(warp, block.last, warp.paths[warp.current].mask);
    if (tainted == 0) {
        return taken;
    }
    if (block.passes_rare_case) {
        ++(*state_.notes)[noted(
            NoteId::rare_case,
            fmt::format("{:#06x}: {}", program_.address_of(block.end - 1), rare_case_note))];
        return taken | tainted;
    }
    taint_.mark(block.end - 1, block.in_loop ? UnknownData::What::trips : UnknownData::What::branch);
    return taken;
}

std::size_t BlockRunner::split(Warp& warp, u32 taken, int block) {
    if (taken == warp.paths[warp.current].mask) {
        warp.paths[warp.current].block = block;
        return warp.current;
    }
    Path other = warp.paths[warp.current];
    other.mask = taken;
    other.block = block;
    warp.paths[warp.current].mask &= ~taken;
    warp.paths.push_back(std::move(other));
    return warp.paths.size() - 1;
}

bool BlockRunner::end_with_jump(Warp& warp, const CodeBlock& block, u32 taken) {
    split(warp, taken, block.target);
    return true;
}

bool BlockRunner::end_indirect(Warp& warp, const CodeBlock& block, u32 taken) {
    while (taken != 0) {
        const auto first = static_cast<std::size_t>(std::countr_zero(taken));
        const auto& targets = warp.slots[block.last.slot];
        const u32 same = lanes_where<[](u32 a, u32 b) { return a == b; }>(targets,
                                                                          [&] {
                                                                              Lanes lanes;
                                                                              fill(lanes, targets.at[first]);
                                                                              return lanes;
                                                                          }()) &
                         taken;
        const auto address = static_cast<std::int64_t>(targets.at[first]) + block.last.immediate;
        const auto found = program_.block_at_address(address);
        const auto& allowed = block.successors;
        if (found < 0 || std::find(allowed.begin(), allowed.end(), found) == allowed.end()) {
            fail(warp, block.end - 1, fmt::format("jumps to {:#x}, which is no place to return to", address));
        }
        split(warp, same, found);
        taken &= ~same;
    }
    return true;
}

bool BlockRunner::end_with_call_outside(const Warp& warp, const CodeBlock& block) {
    const auto& problem = program_.problems[static_cast<std::size_t>(block.end) - 1];
    if (!allow_unknown_) {
        fail(warp, block.end - 1, problem + "; --allow-unknown steps over it");
    }
    ++(*state_.notes)[noted(NoteId::call_skipped, fmt::format("{:#06x}: {}; stepped over",
                                                              program_.address_of(block.end - 1), problem))];
    return true;
}

bool BlockRunner::end_with_exit(Warp& warp, u32 taken) {
    auto& path = warp.paths[warp.current];
    warp.alive &= ~taken;
    path.mask &= ~taken;
    if (path.mask == 0) {
        remove_path(warp, warp.current);
        return false;
    }
    return true;
}

bool BlockRunner::end_with_wait(Warp& warp, u32 taken, Wait wait, u32 wait_for) {
    const bool whole = taken == warp.paths[warp.current].mask;
    auto& waiting = warp.paths[split(warp, taken, warp.paths[warp.current].block)];
    waiting.wait = wait;
    waiting.wait_for = wait_for;
    return !whole;
}

// Lanes of one mask wait for one another, and go on as a path of their own.
bool BlockRunner::end_with_warp_sync(Warp& warp, const Lanes& masks, u32 taken) {
    bool goes_on = true;
    while (taken != 0) {
        const u32 mask = masks.at[static_cast<std::size_t>(std::countr_zero(taken))];
        u32 alike = 0;
        for (std::size_t i = 0; i < lane_count; ++i) {
            alike |= masks.at[i] == mask ? lane_bit[i] : 0;
        }
        goes_on = end_with_wait(warp, taken & alike, Wait::warp_sync, mask);
        taken &= ~alike;
    }
    return goes_on;
}

void BlockRunner::remove_path(Warp& warp, std::size_t path) {
    warp.paths.erase(warp.paths.begin() + static_cast<std::ptrdiff_t>(path));
}

void BlockRunner::fail_endless() const {
    for (const auto& warp : warps_) {
        for (const auto& path : warp.paths) {
            if (path.wait == Wait::none) {
                fail(warp, code_block(path.block).begin,
                     fmt::format("is in an endless loop, in which nothing changes; {}", memory_hint));
            }
        }
    }
    fail_deadlock();
}

void BlockRunner::fail(const Warp& warp, int instruction, const std::string& what) const {
    throw InputError(InputErrorKind::invalid_input,
                     {{"", 0, 0, fmt::format("{:#06x}", program_.address_of(instruction)),
                       fmt::format("{} (block {},{},{}, warp {})", what, state_.index.x, state_.index.y,
                                   state_.index.z, warp.index)}});
}

}  // namespace gpumodel::emulate
