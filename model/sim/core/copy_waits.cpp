// Warps that wait on barriers in shared memory for bulk copies of their block (block_copies.h), or for its
// warps' arrivals.
//
// A wait proceeds when the phase that it waits for is complete: when the copies that count for it have come,
// and each of the warps that count for it has made as many arrivals as that phase's. What nobody is going to
// bring any more is not waited for: a run that leaves trips out may count otherwise than the launch does.
#include <algorithm>

#include "model/sim/core/issue_core.h"

namespace gpumodel::sim {
namespace {

// It has bulk copies to issue or arrivals to make before it ends: ahead in its code, or in further trips of a
// loop, as of one over tiles whose results it is storing.
bool gives_more(const Warp& warp) {
    const auto last = warp.stream->last_given;
    if (warp.pc <= last) {
        return true;
    }
    return std::any_of(warp.stream->loops.begin(), warp.stream->loops.end(), [&](const StreamLoop& loop) {
        const auto trips = loop.trips - (loop.depth == 0 ? warp.trips_cut : 0);
        return loop.first_op <= last && warp.pc <= loop.last_op &&
               warp.counters[static_cast<std::size_t>(loop.depth)] + 1 < trips;
    });
}

}  // namespace

// When registers, products, copies and arrivals allow the warp's next instruction.
Cycle IssueCore::inputs_ready(Warp& warp) {
    const auto ready = warp.scoreboard.ready(warp.op(), warp.not_before, warp.reason);
    const auto over = wait_is_over(warp);
    if (over <= std::max(ready, warp.not_before)) {
        return ready;
    }
    warp.reason = StallReason::long_scoreboard;
    return over;
}

// How many of its block's copies the warp's next instruction waits for.
std::int64_t IssueCore::copies_needed(Warp& warp) {
    const auto& op = warp.op();
    return op.copies_first == 0 ? 0 : op.copies_first + op.copies_step * warp.waits_at(op.address);
}

// All copies have been issued and all arrivals made that the warp's next instruction waits for.
bool IssueCore::has_what_it_needs(Warp& warp) {
    const auto& op = warp.op();
    if (copies_needed(warp) > copies_[static_cast<std::size_t>(warp.name.slot)].issued()) {
        return false;
    }
    const auto waits = op.arrivals_warps == 0 ? 0 : warp.waits_at(op.address) - op.arrivals_from;
    if (op.arrivals_warps == 0 || waits < 0) {
        return true;
    }
    const auto more = op.arrivals_step * waits;
    const auto warps = warps_of(warp.name.slot);
    return std::all_of(warps.begin(), warps.end(), [&](const Warp& other) {
        const auto bit = std::uint32_t{1} << static_cast<unsigned>(other.name.warp);
        return ((op.arrivals_warps & bit) == 0 || other.arrivals >= op.arrivals_first + more) &&
               ((op.others_warps & bit) == 0 || other.arrivals >= op.others_first + more);
    });
}

// Some other warp of the block that may issue copies or arrive.
bool IssueCore::anybody_goes_on(const Warp& warp) {
    const auto warps = warps_of(warp.name.slot);
    return std::any_of(warps.begin(), warps.end(), [&](Warp& other) {
        return &other != &warp && other.live && other.not_before < never && gives_more(other) &&
               has_what_it_needs(other);
    });
}

Cycle IssueCore::wait_is_over(Warp& warp) {
    const auto& op = warp.op();
    if (!op.counts()) {
        return 0;
    }
    if (!has_what_it_needs(warp) && anybody_goes_on(warp)) {
        return never;
    }
    const auto& copies = copies_[static_cast<std::size_t>(warp.name.slot)];
    return copies.come(std::min(copies_needed(warp), copies.issued()));
}

// Of the block's warps that wait, after something that they may wait for has changed. None goes on before
// `earliest`.
void IssueCore::look_at_waits(int slot, Cycle earliest) {
    if (!counts_copies_) {
        return;
    }
    for (auto& warp : warps_of(slot)) {
        if (warp.live && warp.waits_for_registers && warp.op().counts()) {
            look_at_inputs(warp, earliest);
        }
    }
}

// Of a warp that waited for something unknown until now.
void IssueCore::look_at_inputs(Warp& warp, Cycle earliest) {
    if (const auto ready = inputs_ready(warp); ready < never) {
        warp.waits_for_registers = false;
        scheduler_of(warp).set_ready(warp.place, std::max({ready, warp.not_before, earliest}));
    }
}

}  // namespace gpumodel::sim
