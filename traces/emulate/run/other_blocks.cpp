#include "traces/emulate/run/other_blocks.h"

#include <algorithm>
#include <memory>

#include "base/diagnostics.h"
#include "base/note.h"
#include "traces/emulate/run/side_by_side.h"

namespace gpumodel::emulate {

OtherBlocks::OtherBlocks(const Program& program, const SassLaunch& launch, LaunchBlocks& blocks)
    : blocks_(blocks), code_(program.code), found_(blocks.others()) {
    const bool has_others = blocks.count() > 1;
    if (has_others && program.counts) {
        find_counters();
    }
    if (program.swaps) {
        find_swaps();
    }
    if (has_others && program.steered_by_data && launch.cluster.count() == 1) {
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
    }
    device.end_noting();
    auto both = device.read_and_stored();
    const auto warps = blocks_.warps_per_block();
    if (both.empty()) {
        return;
    }
    if (blocks_.grid_barrier()) {
        both.insert(*blocks_.grid_barrier());
    }
    const bool affordable =
        executed <= most_beside_work / count * finished && warps <= most_warps_kept / count;
    const auto ran = affordable ? run_side_by_side(both) : Beside::failed;
    if (ran != Beside::apart) {
        note_reads(ran == Beside::ran, finished == samples);
    }
    if (ran == Beside::ran) {
        retried_.clear();  // they have lost to others there, and come again
    }
}

void OtherBlocks::note_reads(bool ran, bool all_finish) {
    if (!ran) {
        if (!all_finish || !retried_.empty()) {
            notes_.push_back(
                noted(NoteId::waits_left_out,
                      "blocks wait for what others store, or lose swaps to them, for longer than "
                      "can be executed side by side: what that takes is estimated at best"));
        }
        return;
    }
    notes_.push_back(
        noted(NoteId::blocks_side_by_side,
              "blocks read what others store: they are taken to run side by side, each warp at the "
              "pace of its trips to L2 and of what waits at its slices"));
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

std::size_t OtherBlocks::at_once() const {
    const auto known = blocks_.at_once();
    const auto most = known > 0 ? known : most_threads_beside / blocks_.threads_per_block();
    return static_cast<std::size_t>(std::max<std::int64_t>(1, most));
}

OtherBlocks::Beside OtherBlocks::run_side_by_side(const std::set<std::int64_t>& allocations) {
    const auto threads = static_cast<std::size_t>(blocks_.warps_per_block() * lane_count);
    found_.reads.emplace();
    found_.reads->allocations = allocations;
    found_.reads->blocks.assign(static_cast<std::size_t>(blocks_.count()), ReadLog(threads));
    blocks_.device().forget_stores();
    blocks_.keep_grid_barrier(false);
    Pacer pacer(code_, Pace{});
    std::int64_t next = 0;
    const auto start = [&]() -> std::shared_ptr<BlockRunner> {
        return next == blocks_.count() ? nullptr : blocks_.start_beside(next++, pacer);
    };
    std::int64_t checked = 0;
    const auto check = [&] {
        constexpr std::int64_t between = 250'000;  // instructions, of up to 32 reads
        if (pacer.executed() - checked < between) {
            return;
        }
        checked = pacer.executed();
        if (pacer.executed() > 2 * most_beside_work || kept_reads() > most_kept_reads) {
            throw InputError(InputErrorKind::invalid_input, {});
        }
    };
    auto& device = blocks_.device();
    auto ran = Beside::ran;
    try {
        time_ = emulate::run_side_by_side(at_once(), start, check, pacer);
        time_.contended = time_.polled > 0 || device.tries_per_swap() > 1;
        ran = device.has_read_of_others() ? Beside::ran : Beside::apart;
    } catch (const InputError&) {
        ran = Beside::failed;
    }
    device.set_accessor(-1);
    if (ran != Beside::ran) {
        found_.reads.reset();
        time_ = {};
        blocks_.keep_grid_barrier(true);
    }
    return ran;
}

}  // namespace gpumodel::emulate
