#include "model/sim/sm_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace gpumodel::sim {
namespace {

int slots_of(const BlockPlan& plan) {
    return static_cast<int>(std::min(static_cast<std::size_t>(plan.resident), plan.share));
}

int warps_of_block(const DecodedProgram& decoded) {
    return static_cast<int>(decoded.bodies.front().stream_of_warp.size());
}

}  // namespace

SmRun::Extrapolation::Extrapolation(const DecodedProgram& decoded, const BlockPlan& plan, int slots)
    : profiles(profiles_of(decoded, plan.resident * warps_of_block(decoded))),
      trips(profiles, warps_of_block(decoded), left_out),
      rounds(block_instructions(decoded, profiles), slots, left_out) {}

SmRun::SmRun(const SmSetup& setup, const DecodedProgram& decoded, AccessTable& table)
    : setup_(setup),
      account_(decoded.code, setup.listener),
      core_(setup.arch, setup.machine, decoded, slots_of(setup.blocks), account_, *this),
      memory_(setup.memory, setup.machine.schedulers, decoded, table, slots_of(setup.blocks)),
      dealer_(setup.blocks, setup.machine, core_.warps_per_block(), setup.listener, *this) {
    if (setup.listener != nullptr) {
        memory_.log_to(&sent_);
    }
    if (!setup.exact) {
        extrapolation_ = std::make_unique<Extrapolation>(decoded, setup.blocks, dealer_.slots());
    }
}

// Each pass: the memory path up to the next cycle at which a scheduler has something to look at, then those
// schedulers. A request that is done may bring that cycle forward, never before its last wavefront.
RunOutcome SmRun::run() {
    dealer_.start();
    MemoryPath::Done done;
    for (;;) {
        const Cycle now = core_.next();
        if (memory_.advance(now, done)) {
            complete(done);
            continue;
        }
        if (now >= never) {
            break;
        }
        const Cycle left_out = extrapolation_ ? extrapolation_->left_out.cycles : 0;
        if (setup_.max_cycles > 0 && now + left_out > setup_.max_cycles) {
            return stopped(fmt::format("cycle limit reached at cycle {}", now));
        }
        core_.step(now);
        if (extrapolation_ && extrapolation_->trips.asks()) {
            skip_trips(now);
        }
    }
    return dealer_.any_runs() ? stopped("no warp can issue again") : outcome();
}

bool SmRun::send(const Warp& warp, const DecodedOp& op, Cycle now) {
    return memory_.send(op, {warp.number, warp.name.scheduler, warp.order, warp.scoreboard.batch_of(op)},
                        warp.counters, now);
}

void SmRun::complete(const MemoryPath::Done& done) {
    const auto& request = done.served.request;
    const auto queue_opens = static_cast<Cycle>(std::floor(done.served.last_start)) + 1;
    core_.deliver(*request.op, request.from.warp, request.from.order, request.from.copy_batch, queue_opens,
                  done.ready);
    if (setup_.listener != nullptr) [[unlikely]] {
        tell(done);
    }
}

// A request may outlive its block: the order of start tells which that was.
WarpName SmRun::name_of(const Requester& from) const {
    auto name = core_.warps()[static_cast<std::size_t>(from.warp)].name;
    name.block = setup_.blocks.blocks[static_cast<std::size_t>(from.order)].index;
    return name;
}

void SmRun::tell(const MemoryPath::Done& done) {
    auto& listener = *setup_.listener;
    for (const auto& sent : sent_) {
        listener.wavefront(
            {sent.start, sent.cycles, name_of(sent.from), account_.place_of(*sent.op), sent.op->op});
    }
    sent_.clear();
    const auto& request = done.served.request;
    listener.memory_request({request.available, done.served.last_start, done.ready, request.slots,
                             name_of(request.from), account_.place_of(*request.op), request.op->op});
}

void SmRun::start_block(int slot, const BlockStart& start, const PlannedBlock& block) {
    memory_.start_block(slot, block.at, block.body);
    if (extrapolation_) {
        extrapolation_->trips.warps_started(core_.warps_per_block());
    }
    core_.start_block(slot, start);
}

void SmRun::warp_ended(int slot, Cycle now) {
    if (extrapolation_) {
        extrapolation_->trips.warp_ended();
    }
    dealer_.warp_ended(slot, now);
}

void SmRun::trip_started(const Warp& warp, std::int32_t loop) {
    if (extrapolation_) {
        extrapolation_->trips.trip_started(warp.body, warp.stream_of_body, loop);
    }
}

BlockSkip SmRun::block_ended(Cycle end, std::span<const PlannedBlock> waiting) {
    return extrapolation_ && extrapolation_->rounds.block_ended()
               ? extrapolation_->rounds.after_round(snapshot(end), waiting)
               : BlockSkip{};
}

void SmRun::skip_trips(Cycle now) {
    const auto skip = extrapolation_->trips.answer(snapshot(now));
    for (std::size_t w = 0; w < skip.trips.size(); ++w) {
        core_.cut_trips(w, skip.trips[w]);
    }
    dealer_.leave_out(skip.cycles);
}

SimCounters SmRun::counters() const {
    auto counters = account_.counters();
    memory_.add_to(counters);
    return counters;
}

Snapshot SmRun::snapshot(Cycle now) const {
    Snapshot snapshot{now, counters(), account_.stalls(), {}};
    for (const auto& w : core_.warps()) {
        snapshot.warps.push_back(
            w.live ? WarpStanding{w.order, w.body, w.stream_of_body, w.pc, w.counters[0], w.trips_cut}
                   : WarpStanding{});
    }
    return snapshot;
}

RunOutcome SmRun::stopped(const std::string& why) const {
    RunOutcome out;
    out.status = SimStatus::no_progress;
    out.reason = why;
    for (const auto& warp : core_.warps()) {
        if (warp.live) {
            const auto place = account_.place_of(warp.op());
            out.reason += fmt::format("; block slot {} warp {}: {} instruction {}, {}", warp.name.slot,
                                      warp.name.warp, place.segment != nullptr ? place.segment->name : "",
                                      place.index, to_string(warp.reason));
        }
    }
    return out;
}

RunOutcome SmRun::outcome() const {
    RunOutcome out;
    out.end = std::max(static_cast<double>(dealer_.end()), memory_.drained());
    out.counters = counters();
    out.stalls = account_.stalls();
    out.accounted_warp_cycles = account_.accounted_warp_cycles();
    out.resident_warp_cycles = account_.resident_warp_cycles();
    out.simulated_instructions = out.counters.instructions;
    out.blocks = out.simulated_blocks = static_cast<std::int64_t>(dealer_.blocks());
    if (extrapolation_) {
        const auto& left_out = extrapolation_->left_out;
        out.end += static_cast<double>(left_out.cycles);
        add_scaled(out.counters, left_out.counters, {}, 1);
        add(out.stalls, left_out.stalls);
        out.simulated_blocks -= left_out.blocks;
        out.trips_left_out =
            left_out.warp_trips / static_cast<double>(out.simulated_blocks * core_.warps_per_block());
        out.error_cycles = left_out.error_cycles;
    }
    return out;
}

}  // namespace gpumodel::sim
