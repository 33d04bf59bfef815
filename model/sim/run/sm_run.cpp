#include "model/sim/run/sm_run.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace gpumodel::sim {

SmRun::SmRun(const SmSetup& setup, const DecodedProgram& decoded, const Dim3& grid, AccessTable& table,
             const RunPlan& plan)
    : setup_(setup),
      decoded_(decoded),
      grid_(grid),
      table_(table),
      listener_(setup.listener),
      plan_(plan),
      pipe_(setup.machine.schedulers, setup.costs.interval),
      memory_(setup.rates),
      l1_(setup.arch.l1.caches_global_loads ? setup.l1_bytes : 0),
      read_only_(setup.arch.read_only.size_bytes) {
    out_.stalls.assign(decoded.code.size(), {});
    issues_are_watched_ = setup.record_issues > 0 || setup.listener != nullptr;
    pipe_.log_to(setup.listener != nullptr ? &sent_ : nullptr);
    layout_ = code_layout(decoded);
    const auto costs = fetch_costs(setup.arch, layout_.instructions);
    if (costs.modelled) {
        fetch_.assign(static_cast<std::size_t>(setup.machine.schedulers), InstructionFetch(costs));
    }
    start_fast_forward();
    place_warps();
}

// Each pass: the data pipe up to the next cycle at which a scheduler has something to look at, then those
// schedulers. A request that is done may bring that cycle forward, never before its last wavefront.
RunOutcome SmRun::run() {
    for (;;) {
        Cycle now = never;
        for (const auto& s : schedulers_) {
            now = std::min(now, s.wake);
        }
        DataPipe::Served served;
        if (pipe_.advance(static_cast<double>(now), served)) {
            complete(served);
            continue;
        }
        if (now >= never) {
            break;
        }
        if (setup_.max_cycles > 0 && now + skip_.cycles > setup_.max_cycles) {
            stop_without_progress(now, "cycle limit reached");
            return std::move(out_);
        }
        for (int s = 0; s < setup_.machine.schedulers; ++s) {
            if (schedulers_[static_cast<std::size_t>(s)].wake <= now) {
                step(s, now);
            }
        }
        if (skip_.window_is_over) {
            end_window(now);
        } else if (skip_.warp_has_ended) {
            resume_skipping();
        }
    }
    if (std::any_of(slots_.begin(), slots_.end(), [](const BlockSlot& s) { return s.running; })) {
        stop_without_progress(never, "no warp can issue again");
    }
    out_.end = std::max(out_.end, memory_.drained());
    out_.counters = counters_so_far();
    for (const auto& line : out_.stalls) {
        out_.accounted_warp_cycles +=
            static_cast<double>(std::accumulate(line.begin(), line.end(), Cycle{0}));
    }
    add_left_out();
    return std::move(out_);
}

void SmRun::step(int scheduler, Cycle now) {
    auto& s = schedulers_[static_cast<std::size_t>(scheduler)];
    std::uint64_t ready = 0;
    Cycle next = never;
    for (int p = 0; p < s.places; ++p) {
        const auto at = s.ready_at[static_cast<std::size_t>(p)];
        if (at <= now) {
            ready |= std::uint64_t{1} << static_cast<unsigned>(p);
        } else {
            next = std::min(next, at);
        }
    }
    s.wake = next;
    if (s.waits_for_queue != 0 && pipe_.queued(scheduler) < setup_.machine.memory_queue_depth) {
        if (s.queue_opens <= now) {
            ready |= s.first_for_queue();
        } else {
            s.wake = std::min(s.wake, s.queue_opens);
        }
    }
    while (ready != 0) {
        const int place = s.state.pick(ready);
        const auto bit = std::uint64_t{1} << static_cast<unsigned>(place);
        auto& warp = warps_[static_cast<std::size_t>(s.warp[static_cast<std::size_t>(place)])];
        if ((s.waits_for_queue & bit) != 0) {
            s.waits_for_queue &= ~bit;
            s.ready_at[static_cast<std::size_t>(place)] = now;
        }
        if (try_issue(warp, now)) {
            s.state.issued(place);
            s.wake = now + setup_.machine.issue_interval;
            return;
        }
        ready &= ~bit;
        if (setup_.machine.conflicts_hold_scheduler && warp.reason == StallReason::dispatch_stall) {
            s.state.holds(place);
            s.wake = s.ready_at[static_cast<std::size_t>(place)];
            return;
        }
        s.wake = std::min(s.wake, s.ready_at[static_cast<std::size_t>(place)]);
    }
}

// Hazards in this order: pipe, memory queue, register ports; registers and stall counts are in ready_at.
bool SmRun::try_issue(Warp& warp, Cycle now) {
    const auto& op = warp.stream->ops[static_cast<std::size_t>(warp.pc)];
    auto& s = schedulers_[static_cast<std::size_t>(warp.scheduler)];
    int unit = -1;
    if (uses_data_pipe(op.kind)) {
        if (pipe_.queued(warp.scheduler) >= setup_.machine.memory_queue_depth) {
            s.wait_for_queue(warp.place, now);
            return refuse(warp, now, never, StallReason::mio_throttle);
        }
    } else {
        Cycle retry = never;
        unit = free_unit(op, warp.scheduler, now, retry);
        if (unit < 0) {
            return refuse(warp, now, retry, StallReason::math_pipe_throttle);
        }
    }
    if (s.ports.limits() && op.read_count > 0) {
        const auto at = s.ports.earliest(op, warp.block_slot * warps_per_block_ + warp.in_block, now);
        if (at > now) {
            return refuse(warp, now, at, StallReason::dispatch_stall);
        }
    }
    issue(warp, op, unit, now);
    return true;
}

int SmRun::free_unit(const DecodedOp& op, int scheduler, Cycle now, Cycle& retry) const {
    const auto& s = schedulers_[static_cast<std::size_t>(scheduler)];
    if (op.slow_interval > 0 && s.slow_free[op.pipe] > now) {
        retry = s.slow_free[op.pipe];
        return -1;
    }
    const auto& units = unit_free_[op.pipe];
    const int shared = setup_.machine.pipes[op.pipe].shared;
    retry = units[static_cast<std::size_t>(scheduler)];
    if (retry <= now) {
        return scheduler;
    }
    if (shared > 0) {
        const int unit = setup_.machine.schedulers + scheduler * shared / setup_.machine.schedulers;
        const auto at = units[static_cast<std::size_t>(unit)];
        if (at <= now) {
            return unit;
        }
        retry = std::min(retry, at);
    }
    return -1;
}

bool SmRun::refuse(Warp& warp, Cycle now, Cycle retry, StallReason reason) {
    auto& ready_at =
        schedulers_[static_cast<std::size_t>(warp.scheduler)].ready_at[static_cast<std::size_t>(warp.place)];
    charge(warp, std::min(ready_at, now), warp.reason);
    charge(warp, now, StallReason::not_selected);
    warp.reason = reason;
    ready_at = retry;
    return false;
}

void SmRun::issue(Warp& warp, const DecodedOp& op, int unit, Cycle now) {
    auto& s = schedulers_[static_cast<std::size_t>(warp.scheduler)];
    charge(warp, std::min(s.ready_at[static_cast<std::size_t>(warp.place)], now), warp.reason);
    charge(warp, now, StallReason::not_selected);
    charge(warp, now + 1, StallReason::selected);
    out_.counters.instructions += 1;
    out_.counters.issued_by_class[static_cast<std::size_t>(op.op)] += 1;
    if (issues_are_watched_) [[unlikely]] {
        tell_issue(warp, op, now);
    }
    occupy(warp, op, unit, now);
    if (uses_data_pipe(op.kind)) {
        send(warp, op, now);
    } else if (op.tracks_results) {
        set_results(warp, op, now);
    }
    if (op.waits_for_copies) {
        warp.batch_is_new = false;
    }
    const bool taken = advance(warp, op);
    if (op.kind == OpKind::barrier) {
        arrive(warp, now);
    } else if (warp.pc >= static_cast<std::int32_t>(warp.stream->ops.size())) {
        finish_warp(warp, now);
    } else {
        go_on(warp, op, taken, now);
    }
}

void SmRun::occupy(const Warp& warp, const DecodedOp& op, int unit, Cycle now) {
    auto& s = schedulers_[static_cast<std::size_t>(warp.scheduler)];
    if (unit >= 0) {
        unit_free_[op.pipe][static_cast<std::size_t>(unit)] = now + setup_.machine.pipes[op.pipe].interval;
        if (op.slow_interval > 0) {
            s.slow_free[op.pipe] = now + op.slow_interval;
        }
    }
    if (s.ports.limits()) {
        s.ports.issue(op, warp.block_slot * warps_per_block_ + warp.in_block, now);
    }
}

// The warp's next instruction: at once if the two are a pair and it can, else after the delay.
void SmRun::go_on(Warp& warp, const DecodedOp& op, bool taken, Cycle now) {
    if (op.pairs && setup_.machine.dual_issue) {
        auto& ready_at = schedulers_[static_cast<std::size_t>(warp.scheduler)]
                             .ready_at[static_cast<std::size_t>(warp.place)];
        prepare(warp, now, StallReason::wait);
        if (ready_at > now || !try_issue(warp, now)) {
            ready_at = std::max(ready_at, now + 1);
        }
        return;
    }
    const Cycle next = now + op.issue_delay;
    if (taken) {
        prepare(warp, std::max<Cycle>(next, now + setup_.machine.branch_latency),
                StallReason::branch_resolving);
    } else {
        prepare(warp, next, StallReason::wait);
    }
}

void SmRun::set_results(Warp& warp, const DecodedOp& op, Cycle now) {
    const bool fixed =
        op.op != OpClass::sfu && op.op != OpClass::convert && op.op != OpClass::special_register;
    for (std::size_t r = 0; r < op.result_count; ++r) {
        warp.scores[op.results[r]] = {now + op.latency, now + op.latency};
        warp.score_reasons[op.results[r]] = fixed ? StallReason::wait : StallReason::short_scoreboard;
    }
}

// Moves on to the next op; true if a loop's closing branch was taken.
bool SmRun::advance(Warp& warp, const DecodedOp& op) {
    if (op.closes_loop) {
        for (auto l = op.loop; l >= 0; l = warp.stream->loops[static_cast<std::size_t>(l)].outer) {
            const auto& loop = warp.stream->loops[static_cast<std::size_t>(l)];
            auto& counter = warp.counters[static_cast<std::size_t>(loop.depth)];
            if (++counter < warp.trips[l]) {
                warp.pc = loop.first_op;
                if (loop.depth == 0 && skip_.on) {
                    on_trip(warp, l);
                }
                return op.kind == OpKind::branch;
            }
            counter = 0;
        }
    }
    ++warp.pc;
    return false;
}

void SmRun::prepare(Warp& warp, Cycle not_before, StallReason reason) {
    charge(warp, not_before, reason);
    if (!fetch_.empty()) {
        not_before = fetch(warp, not_before);
    }
    const auto& op = warp.stream->ops[static_cast<std::size_t>(warp.pc)];
    warp.not_before = not_before;
    const auto ready = registers_ready(warp, op, warp.reason);
    warp.waits_for_registers = ready >= never;
    wake(warp, std::max(ready, not_before));
}

Cycle SmRun::fetch(Warp& warp, Cycle not_before) {
    const auto code = warp.stream->ops[static_cast<std::size_t>(warp.pc)].code;
    const auto line = layout_.line_of_code[static_cast<std::size_t>(code)];
    if (line == warp.fetch_line) {
        return not_before;
    }
    warp.fetch_line = line;
    const auto at = fetch_[static_cast<std::size_t>(warp.scheduler)].need(line, not_before);
    charge(warp, at, StallReason::no_instruction);
    return at;
}

Cycle SmRun::registers_ready(const Warp& warp, const DecodedOp& op, StallReason& reason) const {
    Cycle ready = 0;
    std::uint16_t last = 0;
    for (std::size_t i = 0; i < op.source_count; ++i) {
        const auto at = warp.scores[op.sources[i]].read;
        if (at > ready) {
            ready = at;
            last = op.sources[i];
        }
    }
    for (std::size_t i = 0; i < op.result_count; ++i) {
        const auto at = warp.scores[op.results[i]].write;
        if (at > ready) {
            ready = at;
            last = op.results[i];
        }
    }
    if (ready > warp.not_before) {
        reason = warp.score_reasons[last];
    }
    if (op.waits_for_copies) {
        const bool all = !warp.batch_is_new;
        const bool open = warp.older.under_way > 0 || (all && warp.newest.under_way > 0);
        reason = StallReason::long_scoreboard;
        ready = std::max({ready, open ? never : warp.older.done, all ? warp.newest.done : 0});
    }
    return ready;
}

void SmRun::charge(Warp& warp, Cycle until, StallReason reason) {
    if (until > warp.accounted) {
        const auto code = warp.stream->ops[static_cast<std::size_t>(warp.pc)].code;
        out_.stalls[static_cast<std::size_t>(code)][static_cast<std::size_t>(reason)] +=
            until - warp.accounted;
        if (listener_ != nullptr) [[unlikely]] {
            tell_span(warp, until, reason);
        }
        warp.accounted = until;
    }
}

void SmRun::wake(Warp& warp, Cycle at) {
    auto& s = schedulers_[static_cast<std::size_t>(warp.scheduler)];
    s.ready_at[static_cast<std::size_t>(warp.place)] = at;
    s.wake = std::min(s.wake, at);
}

}  // namespace gpumodel::sim
