#include "model/sim/core/issue_core.h"

#include <algorithm>
#include <cmath>

#include "model/sim/core/stall_words.h"

namespace gpumodel::sim {

IssueCore::IssueCore(const ArchSpec& arch, const Machine& machine, const DecodedProgram& decoded,
                     int resident_blocks, RunAccount& account, CoreNeighbours& neighbours)
    : machine_(machine),
      decoded_(decoded),
      account_(account),
      neighbours_(neighbours),
      warps_per_block_(static_cast<int>(decoded.bodies.front().stream_of_warp.size())),
      warps_(static_cast<std::size_t>(resident_blocks * warps_per_block_)),
      copies_(static_cast<std::size_t>(resident_blocks)),
      schedulers_(static_cast<std::size_t>(machine.schedulers),
                  Scheduler(machine.policy, arch.sm.register_file)),
      pipes_(machine),
      layout_(code_layout(decoded)) {
    const auto costs = fetch_costs(arch, layout_.instructions);
    if (costs.modelled) {
        code_ = std::make_unique<CodeSupply>(costs.supply);
        fetch_.assign(schedulers_.size(), InstructionFetch(costs, *code_));
    }
    for (const auto& body : decoded.bodies) {
        counts_copies_ = counts_copies_ || std::any_of(body.streams.begin(), body.streams.end(),
                                                       [](const WarpStream& s) { return s.counts_copies; });
    }
    for (int w = 0; w < static_cast<int>(warps_.size()); ++w) {
        auto& warp = warps_[static_cast<std::size_t>(w)];
        warp.name = {0, w / warps_per_block_, w % warps_per_block_, w % machine.schedulers};
        warp.number = w;
        auto& s = scheduler_of(warp);
        warp.place = s.places++;
        s.warp[static_cast<std::size_t>(warp.place)] = w;
    }
}

void IssueCore::step(Cycle now) {
    now_ = now;
    for (auto& s : schedulers_) {
        if (s.wake <= now) {
            look(s, now);
        }
    }
}

// Everything it calls in one piece: an eighth of the simulator's time.
[[gnu::flatten]] void IssueCore::look(Scheduler& s, Cycle now) {
    auto ready = s.ready(now, machine_.memory_queue_depth);
    while (ready != 0) {
        const int place = s.state.pick(ready);
        const auto bit = std::uint64_t{1} << static_cast<unsigned>(place);
        auto& ready_at = s.ready_at[static_cast<std::size_t>(place)];
        auto& warp = warp_at(s, place);
        if ((s.waiting & bit) != 0) {
            s.waiting &= ~bit;
            ready_at = now;
        }
        const auto& op = warp.op();
        ready &= ~bit;
        if (try_issue(s, warp, now)) {
            s.state.issued(place);
            s.wake = now + machine_.issue_interval;
            pass_over(s, ready, op, now);
            return;
        }
        if (machine_.conflicts_hold_scheduler && warp.reason == StallReason::dispatch_stall) {
            s.state.holds(place);
            s.wake = ready_at;
            hold_back(s, ready, now, ready_at);
            return;
        }
        s.wake = std::min(s.wake, ready_at);
    }
}

// `issued` went this cycle. Of the other warps that were ready those could not have gone whose queue is full
// or whose pipe has no unit free: they are throttled, the others not selected. If a memory instruction went,
// the queue had room for any of those that wait for it (kernels `shared_wide` and `shared_conflicts`: 2.9 to
// 3.5 warps not selected per issue where nearly all wait). When they can go does not change.
void IssueCore::pass_over(Scheduler& s, std::uint64_t ready, const DecodedOp& issued, Cycle now) {
    const bool had_room = is_queued(issued);
    const bool full = !had_room && s.queued >= machine_.memory_queue_depth;
    for (ready &= ~s.waiting; ready != 0; ready &= ready - 1) {
        auto& warp = warp_at(s, std::countr_zero(ready));
        const auto& op = warp.op();
        Cycle retry = never;
        const bool throttled = is_queued(op) ? full
                                             : op.pipe != issued.pipe &&
                                                   pipes_.free_unit(op, warp.name.scheduler, now, retry) < 0;
        if (throttled) {
            charge_until_issue(s, warp, now);
            charge(warp, now + 1, throttle_of(op));
        }
    }
    for (auto rest = had_room ? s.waiting : 0; rest != 0; rest &= rest - 1) {
        auto& warp = warp_at(s, std::countr_zero(rest));
        charge_until_issue(s, warp, now);
        charge(warp, now + 1, StallReason::not_selected);
    }
}

// No warp of the scheduler can go before `until`, as one that was picked waits for its register ports: a
// profiler counts all that are ready under dispatch_stall (kernel `ffma_registers` of
// validate/data/h200_sxm_stalls.csv: 0.25 warps per issue in the 5 % of cycles without one).
void IssueCore::hold_back(Scheduler& s, std::uint64_t ready, Cycle now, Cycle until) {
    for (ready &= ~s.waiting; ready != 0; ready &= ready - 1) {
        const int place = std::countr_zero(ready);
        auto& warp = warp_at(s, place);
        charge_until_issue(s, warp, now);
        warp.reason = StallReason::dispatch_stall;
        s.ready_at[static_cast<std::size_t>(place)] = until;
    }
}

bool IssueCore::try_issue(Scheduler& s, Warp& warp, Cycle now) {
    const auto& op = warp.op();
    int unit = -1;
    if (is_queued(op)) {
        if (s.queued >= machine_.memory_queue_depth) {
            s.wait_for_queue(warp.place, now);
            return refuse(s, warp, now, never, throttle_of(op));
        }
    } else {
        Cycle retry = never;
        unit = pipes_.free_unit(op, warp.name.scheduler, now, retry);
        if (unit < 0) {
            return refuse(s, warp, now, retry, throttle_of(op));
        }
    }
    if (s.ports.limits() && op.read_count > 0) {
        const auto at = s.ports.earliest(op, warp.number, now);
        if (at > now) {
            return refuse(s, warp, now, at, StallReason::dispatch_stall);
        }
    }
    issue(s, warp, op, unit, now);
    return true;
}

bool IssueCore::refuse(Scheduler& s, Warp& warp, Cycle now, Cycle retry, StallReason reason) {
    charge_until_issue(s, warp, now);
    warp.reason = reason;
    s.ready_at[static_cast<std::size_t>(warp.place)] = retry;
    return false;
}

void IssueCore::charge_until_issue(const Scheduler& s, Warp& warp, Cycle now) {
    charge(warp, std::min(s.ready_at[static_cast<std::size_t>(warp.place)], now), warp.reason);
    charge(warp, now, StallReason::not_selected);
}

namespace {

// The warp's next op is a further piece of its bulk copy.
bool next_continues(const Warp& warp) {
    const auto next = static_cast<std::size_t>(warp.pc) + 1;
    return next < warp.stream->ops.size() && warp.stream->ops[next].continues;
}

}  // namespace

void IssueCore::issue(Scheduler& s, Warp& warp, const DecodedOp& op, int unit, Cycle now) {
    charge_until_issue(s, warp, now);
    charge(warp, now + 1, StallReason::selected);
    account_.issued(warp.name, op, now);
    if (unit >= 0) {
        pipes_.occupy(op, unit, warp.name.scheduler, now);
    }
    if (s.ports.limits()) {
        s.ports.issue(op, warp.number, now);
    }
    if (uses_data_pipe(op.kind)) {
        send(s, warp, op, now);
    } else if (op.kind == OpKind::group_product) {
        multiply(warp, op, now);
    } else if (op.tracks_results) {
        warp.scoreboard.issue(op, op.constant_addresses > 0 ? now + constants_.take(op, now) : now);
    }
    if (op.waits_for_copies) {
        warp.scoreboard.wait_for_copies();
    }
    if (op.ends_batch) {
        warp.scoreboard.end_batch();
    }
    if (op.counts()) {
        ++warp.waits_at(op.address);
    }
    if (op.arrives) {
        ++warp.arrivals;
        look_at_waits(warp.name.slot, now + 1);
    }
    warp.note_issue(now);
    for (; op.bulk && next_continues(warp); send(s, warp, warp.op(), now)) {
        ++warp.pc;
    }
    const bool taken = advance(warp, warp.op());
    if (warp.at_end()) {
        exit_warp(warp, now);
    } else if (op.kind == OpKind::barrier) {
        arrive(s, warp, now);
    } else {
        go_on(s, warp, op, taken, now);
    }
}

// Products of a group follow one another in the pipe; operands in registers keep the next one waiting.
void IssueCore::multiply(Warp& warp, const DecodedOp& op, Cycle now) {
    const auto& costs = machine_.products;
    const double gap = op.group.a_in_registers ? costs.register_gap : 0;
    const auto not_before = std::max(
        now * pipe_ticks, warp.scoreboard.products_end() + static_cast<std::int64_t>(pipe_ticks * gap));
    const auto end = pipes_.queue_product(op, warp.name.scheduler, not_before);
    const auto begin = (end - op.product_ticks + pipe_ticks - 1) / pipe_ticks;
    const auto done = begin + static_cast<Cycle>(std::lround(costs.latency(op.group)));
    warp.scoreboard.add_product(op, end, done);
}

void IssueCore::send(Scheduler& s, Warp& warp, const DecodedOp& op, Cycle now) {
    if (op.tracks_sources) {
        const bool store = op.kind == OpKind::shared_store || op.kind == OpKind::global_store;
        const int cycles = store ? machine_.store_release + (op.words - 1) * machine_.store_release_per_word
                                 : machine_.load_release;
        warp.scoreboard.hold_sources(op, now + cycles);
    }
    if (op.bulk && op.kind == OpKind::async_copy) {
        copies_[static_cast<std::size_t>(warp.name.slot)].send(!op.continues);
    }
    if (neighbours_.send(warp, op, now)) {
        s.queued += op.bulk ? 0 : 1;
        warp.leaving += machine_.waits_for_stores && is_store(op) ? 1 : 0;
        warp.scoreboard.send(op);
    } else if (op.bulk && op.kind == OpKind::async_copy) {
        auto& copies = copies_[static_cast<std::size_t>(warp.name.slot)];
        copies.deliver(copies.issued(), now);
    }
}

// When the warp that branches at `now` has its target's instruction. The branch was decoded, and its target
// asked for, when the instruction `branch_run_ahead` before it issued.
Cycle IssueCore::target_at(const Warp& warp, Cycle now) const {
    if (machine_.branch_run_ahead == 0) {
        return now + machine_.branch_latency;
    }
    const auto ahead = static_cast<std::size_t>(machine_.branch_run_ahead);
    const Cycle asked = warp.issued_before(ahead) + machine_.branch_run_ahead - 1;
    return std::max<Cycle>(now + machine_.branch_latency_least,
                           std::min<Cycle>(now, asked) + machine_.branch_latency);
}

// The warp's next instruction: at once if the two are a pair and it can, else after the delay. A scheduler
// has two dispatch units: a pair is never three.
void IssueCore::go_on(Scheduler& s, Warp& warp, const DecodedOp& op, bool taken, Cycle now) {
    const bool second = warp.paired_at == now;
    if (op.pairs && machine_.dual_issue && !second) {
        auto& ready_at = s.ready_at[static_cast<std::size_t>(warp.place)];
        prepare(warp, now, StallReason::wait);
        warp.paired_at = now;
        if (ready_at > now || !try_issue(s, warp, now)) {
            ready_at = std::max(ready_at, now + 1);
        }
        return;
    }
    const Cycle next = now + op.issue_delay;
    if (taken || op.resolves > 0) {
        const auto target = (taken ? std::max<Cycle>(next, target_at(warp, now)) : next) + op.resolves;
        charge(warp, next, StallReason::wait);
        charge(warp, std::min(next + resolving_cycles + op.resolves, target), StallReason::branch_resolving);
        prepare(warp, target, StallReason::no_instruction);
    } else {
        prepare(warp, next, StallReason::wait);
    }
}

// Moves on to the next op; true if that lies elsewhere, as a branch was taken.
bool IssueCore::advance(Warp& warp, const DecodedOp& op) {
    if (op.closes_loop) {
        for (auto l = op.loop; l >= 0; l = warp.stream->loops[static_cast<std::size_t>(l)].outer) {
            const auto& loop = warp.stream->loops[static_cast<std::size_t>(l)];
            const bool top = loop.depth == 0;
            auto& counter = warp.counters[static_cast<std::size_t>(loop.depth)];
            if (++counter < loop.trips - (top ? warp.trips_cut : 0)) {
                warp.pc = loop.first_op;
                if (top) {
                    neighbours_.trip_started(warp, l);
                }
                return loop.jumps;
            }
            counter = 0;
            warp.trips_cut = top ? 0 : warp.trips_cut;
        }
    }
    ++warp.pc;
    return op.jumps;
}

void IssueCore::prepare(Warp& warp, Cycle not_before, StallReason reason) {
    charge(warp, not_before, reason);
    if (!fetch_.empty()) {
        not_before = fetch(warp, not_before);
    }
    warp.not_before = not_before;
    const auto ready = inputs_ready(warp);
    warp.waits_for_registers = ready >= never;
    scheduler_of(warp).set_ready(warp.place, std::max(ready, not_before));
}

Cycle IssueCore::fetch(Warp& warp, Cycle not_before) {
    const auto line = layout_.line_of_code[static_cast<std::size_t>(warp.op().code)];
    if (line == warp.fetch_line) {
        return not_before;
    }
    warp.fetch_line = line;
    const auto at = fetch_[static_cast<std::size_t>(warp.name.scheduler)].need(line, not_before, now_);
    charge(warp, at, StallReason::no_instruction);
    return at;
}

}  // namespace gpumodel::sim
