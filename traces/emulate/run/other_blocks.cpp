#include "traces/emulate/run/other_blocks.h"

#include <algorithm>
#include <memory>

#include "base/diagnostics.h"
#include "base/note.h"
#include "traces/emulate/run/quiet_sinks.h"

namespace gpumodel::emulate {

OtherBlocks::OtherBlocks(const Program& program, const SassLaunch& launch, LaunchBlocks& blocks)
    : blocks_(blocks), found_(blocks.others()) {
    const bool has_others = blocks.count() > 1;
    if (has_others && program.counts) {
        find_counters();
    }
    if (program.swaps) {
        find_swaps();
    }
    const bool alone = launch.cluster.count() == 1 && !blocks.has_grid_barrier();
    if (has_others && program.steered_by_data && alone) {
        keep_reads();
    }
}

void OtherBlocks::find_counters() {
    found_.counters.emplace(blocks_.count());
    for (const std::int64_t place : {std::int64_t{0}, blocks_.count() / 2, blocks_.count() - 1}) {
        found_.counters->found(blocks_.look_at(place).counted);
    }
    found_.counters->settle();
}

void OtherBlocks::find_swaps() {
    SwapProbe probe;
    found_.probe = &probe;
    for (const std::int64_t place : {std::int64_t{0}, blocks_.count() / 2}) {
        (void)blocks_.look_at(place);
    }
    found_.probe = nullptr;
    retried_ = {probe.retried().begin(), probe.retried().end()};
}

void OtherBlocks::keep_reads() {
    const auto count = blocks_.count();
    auto& device = blocks_.device();
    device.begin_noting();
    // those that do not finish wait for what other blocks leave
    std::int64_t executed = 0, finished = 0, samples = 0;
    for (const std::int64_t place : {std::int64_t{0}, count / 2, count - 1}) {
        const auto look = blocks_.look_at(place);
        executed += look.finished ? look.executed : 0;
        finished += look.finished ? 1 : 0;
        ++samples;
        found_.short_turns =
            found_.short_turns && !(look.finished && look.locks);  // waits for locks are left out
    }
    device.end_noting();
    const auto both = device.read_and_stored();
    const auto warps = blocks_.warps_per_block();
    if (both.empty() || executed > most_beside_work / count * finished || warps > most_warps_kept / count) {
        return;
    }
    if (!run_side_by_side(both)) {
        return;
    }
    if (found_.short_turns && device.tries_per_swap() <= most_tries) {
        retried_.clear();  // they have lost to others there, and come again
    } else if (found_.short_turns && !retried_.empty()) {
        found_.short_turns = false;
        if (!run_side_by_side(both)) {
            return;
        }
    }
    note_reads(finished == samples);
}

void OtherBlocks::note_reads(bool all_finish) {
    notes_.push_back(noted(
        NoteId::blocks_side_by_side,
        found_.short_turns
            ? "blocks read what others store: they are taken to run side by side, all warps at one pace"
            : "blocks read what others store: each is taken to find what all before it left, as locks and "
              "swaps that lose are estimated apart"));
    if (!all_finish) {
        notes_.push_back(noted(NoteId::waits_for_blocks,
                               "blocks wait for what others store: how long is known by their steps alone"));
    }
}

std::int64_t OtherBlocks::kept_reads() const {
    std::int64_t kept = 0;
    for (const auto& block : found_.reads->blocks) {
        kept += block.size();
    }
    return kept;
}

bool OtherBlocks::run_side_by_side(const std::set<std::int64_t>& allocations) {
    const auto threads = static_cast<std::size_t>(blocks_.warps_per_block() * lane_count);
    found_.reads.emplace();
    found_.reads->allocations = allocations;
    found_.reads->blocks.assign(static_cast<std::size_t>(blocks_.count()), ReadLog(threads));
    blocks_.device().forget_stores();
    CountingSink sink;
    std::int64_t next = 0;
    const auto start = [&]() -> std::shared_ptr<BlockRunner> {
        return next == blocks_.count() ? nullptr : blocks_.start_beside(next++, sink);
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
        found_.short_turns ? std::max<std::int64_t>(1, most_threads_beside / blocks_.threads_per_block()) : 1;
    try {
        BlockRunner::run_side_by_side(static_cast<std::size_t>(most), start, check);
    } catch (const InputError&) {
        found_.reads.reset();
        return false;
    }
    return true;
}

}  // namespace gpumodel::emulate
