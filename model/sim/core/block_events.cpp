// What comes to an SM's warps from outside, and what they tell: blocks start, meet at barriers and end, and
// what a memory instruction sent for comes back.
#include "model/sim/core/issue_core.h"
#include "model/sim/core/stall_words.h"

namespace gpumodel::sim {

void IssueCore::start_block(int slot, const BlockStart& start) {
    const auto first = static_cast<std::size_t>(slot * warps_per_block_);
    copies_[static_cast<std::size_t>(slot)].reset();
    for (auto w = first; w < first + static_cast<std::size_t>(warps_per_block_); ++w) {
        start_warp(warps_[w], start);
    }
    // what one waits for at once another may bring
    for (auto w = first; w < first + static_cast<std::size_t>(warps_per_block_); ++w) {
        if (warps_[w].stream->ops.empty()) {
            exit_warp(warps_[w], start.at - 1);
        } else {
            prepare(warps_[w], start.at, StallReason::wait);
        }
    }
}

// Which of its block's warps runs at this place among the block's, of which scheduler s has every S-th.
int IssueCore::warp_at_place(int place, std::int64_t order) const {
    const int schedulers = machine_.schedulers;
    if (!machine_.rotates_blocks || warps_per_block_ % schedulers != 0) {
        return place;
    }
    const int behind = static_cast<int>(order % schedulers);
    return (place % schedulers + schedulers - behind) % schedulers + place / schedulers * schedulers;
}

void IssueCore::start_warp(Warp& warp, const BlockStart& start) {
    const auto& body = decoded_.bodies[static_cast<std::size_t>(start.body)];
    warp.name.block = start.block;
    warp.name.warp = warp_at_place(warp.number % warps_per_block_, start.order);
    warp.order = start.order;
    warp.live = true;
    warp.draining = false;
    warp.leaving = 0;
    warp.body = start.body;
    warp.stream_of_body = body.stream_of_warp[static_cast<std::size_t>(warp.name.warp)];
    warp.stream = &body.streams[static_cast<std::size_t>(warp.stream_of_body)];
    warp.pc = 0;
    warp.counters = {};
    warp.copy_waits.clear();
    warp.arrivals = 0;
    warp.trips_cut = 0;
    warp.fetch_line = -1;
    warp.scoreboard.reset(warp.stream->scoreboard_size);
    warp.started = warp.accounted = start.at;
    warp.not_before = start.at;
    warp.waits_for_registers = false;
    scheduler_of(warp).state.started(warp.place, start.order);
}

void IssueCore::arrive(Scheduler& s, Warp& warp, Cycle now) {
    warp.reason = StallReason::barrier;
    warp.waits_for_registers = false;
    warp.not_before = never;
    s.ready_at[static_cast<std::size_t>(warp.place)] = never;
    look_at_waits(warp.name.slot, now + 1);
    neighbours_.arrived(warp.name.slot, now);
}

// A warp keeps its place until its stores have gone: until the store buffer behind the data pipe has taken
// them, not until L2 has (H200, validate/data/h200_sxm_block_ends.csv: one store costs nothing, 32 KiB a
// block 700 cycles).
void IssueCore::exit_warp(Warp& warp, Cycle now) {
    scheduler_of(warp).ready_at[static_cast<std::size_t>(warp.place)] = never;
    neighbours_.warp_exited(warp.name.slot, now);
    if (warp.leaving == 0) {
        end_warp(warp, now);
        return;
    }
    warp.draining = true;
    warp.waits_for_registers = false;
    warp.pc = static_cast<std::int32_t>(warp.stream->ops.size()) - 1;  // which it is charged for
    look_at_waits(warp.name.slot, now + 1);
}

void IssueCore::end_warp(Warp& warp, Cycle now) {
    warp.live = warp.draining = false;
    account_.lived(now + 1 - warp.started);
    look_at_waits(warp.name.slot, now + 1);
    neighbours_.warp_ended(warp.name.slot, now);
}

void IssueCore::release(int slot, Cycle at) {
    const auto first = static_cast<std::size_t>(slot * warps_per_block_);
    for (auto w = first; w < first + static_cast<std::size_t>(warps_per_block_); ++w) {
        if (warps_[w].live && !warps_[w].draining) {
            prepare(warps_[w], at, StallReason::barrier);
        }
    }
}

void IssueCore::deliver(const DecodedOp& op, int number, std::int64_t order, std::int64_t copy_batch,
                        Cycle queue_opens, Cycle ready, std::int64_t copy) {
    auto& warp = warps_[static_cast<std::size_t>(number)];
    auto& s = scheduler_of(warp);
    if (!op.bulk) {
        s.leave_queue(queue_opens);
    }
    if (op.bulk && op.kind == OpKind::async_copy && warp.order == order) {
        copies_[static_cast<std::size_t>(warp.name.slot)].deliver(copy, ready);
        look_at_waits(warp.name.slot, 0);
    }
    if (!warp.live || warp.order != order) {
        return;  // a load whose warp ended without it
    }
    if (machine_.waits_for_stores && is_store(op) && --warp.leaving == 0 && warp.draining) {
        charge(warp, queue_opens, StallReason::drain);
        end_warp(warp, std::max(queue_opens, warp.accounted) - 1);
        return;
    }
    if (!has_result(op.kind)) {
        return;
    }
    warp.scoreboard.deliver(op, copy_batch, ready);
    if (loads_registers(op.kind) && s.ports.delivers()) {
        s.ports.deliver(ready, op.result_banks);
    }
    if (warp.waits_for_registers) {
        look_at_inputs(warp);
    }
}

}  // namespace gpumodel::sim
