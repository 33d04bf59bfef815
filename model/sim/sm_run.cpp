#include "model/sim/sm_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/process.h"

namespace gpumodel::sim {
namespace {

int slots_of(const BlockPlan& plan) {
    return static_cast<int>(std::min(static_cast<std::size_t>(plan.resident), plan.even_blocks));
}

int warps_of_block(const DecodedProgram& decoded) {
    return static_cast<int>(decoded.bodies.front().stream_of_warp.size());
}

// Warp instructions of the SM's blocks.
double instructions_of(const BlockPlan& plan, const DecodedProgram& decoded, const StreamProfiles& profiles) {
    const auto of_body = block_instructions(decoded, profiles);
    double all = 0;
    for (std::size_t b = 0; b < plan.even_blocks; ++b) {
        all += of_body[static_cast<std::size_t>(plan.blocks[b].body)];
    }
    return all;
}

}  // namespace

SmRun::Extrapolation::Extrapolation(const DecodedProgram& decoded, const SmSetup& setup, int slots)
    : profiles(profiles_of(decoded, setup.blocks.resident * warps_of_block(decoded))),
      trips(profiles, warps_of_block(decoded), left_out),
      rounds(block_instructions(decoded, profiles), slots, left_out) {
    const auto& behind = setup.memory.rates.behind;
    left_out.may_be_owed = behind.write_back_bytes / behind.dram_bytes_per_cycle;
    if (setup.glance || setup.most_cycles < std::numeric_limits<double>::infinity()) {
        least_time.emplace(instructions_of(setup.blocks, decoded, profiles), setup.most_cycles);
    }
}

SmRun::SmRun(const SmSetup& setup, const DecodedProgram& decoded, AccessTable& table)
    : setup_(setup),
      decoded_(decoded),
      account_(decoded.code, setup.listener),
      core_(setup.arch, setup.machine, decoded, slots_of(setup.blocks), account_, *this),
      memory_(setup.memory, setup.machine.schedulers, decoded, table, slots_of(setup.blocks)),
      dealer_(setup.blocks, setup.machine, core_.warps_per_block(), setup.listener, *this) {
    if (setup.listener != nullptr) {
        memory_.log_to(&sent_);
    }
    if (!setup.exact) {
        extrapolation_ = std::make_unique<Extrapolation>(decoded, setup, dealer_.slots());
    }
    if (setup.progress != nullptr) {
        all_instructions_ = instructions_of(
            setup.blocks, decoded, profiles_of(decoded, setup.blocks.resident * warps_of_block(decoded)));
    }
}

// Each pass: the memory path up to the next cycle at which a scheduler has something to look at, then those
// schedulers. A request that is done may bring that cycle forward, never before its last wavefront.
bool SmRun::run(SimResult& result) {
    dealer_.start();
    MemoryPath::Done done;
    for (;;) {
        stop_if_asked();
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
            stopped(fmt::format("cycle limit reached at cycle {}", now), result);
            return true;
        }
        core_.step(now);
        constexpr std::uint32_t passes_between = 8192;  // some milliseconds
        if (setup_.progress != nullptr && ++passes_ % passes_between == 0) {
            tell_progress();
        }
        if (extrapolation_ && extrapolation_->trips.asks() && !skip_trips(now)) {
            return false;
        }
    }
    if (setup_.progress != nullptr) {
        setup_.progress->add(1 - told_);
    }
    if (dealer_.any_runs()) {
        stopped("no warp can issue again", result);
        return true;
    }
    fill_in(result);
    return true;
}

bool SmRun::send(const Warp& warp, const DecodedOp& op, Cycle now) {
    return memory_.send(
        op,
        {warp.number, warp.name.slot * core_.warps_per_block() + warp.name.warp, warp.name.scheduler,
         warp.order, warp.scoreboard.batch_of(op), core_.last_copy(warp.name.slot)},
        warp.counters, now);
}

void SmRun::complete(const MemoryPath::Done& done) {
    const auto& request = done.served.request;
    const auto queue_opens = static_cast<Cycle>(std::floor(done.served.last_start)) + 1;
    core_.deliver(*request.op, request.from.warp, request.from.order, request.from.copy_batch, queue_opens,
                  done.ready, request.from.copy);
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

void SmRun::warp_exited(int slot, Cycle now) {
    dealer_.warp_exited(slot, now);
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

bool SmRun::skip_trips(Cycle now) {
    auto& e = *extrapolation_;
    const auto at = snapshot(now);
    if (e.least_time &&
        (e.least_time->exceeded(at, e.left_out) || (setup_.glance && e.least_time->known()))) {
        return false;
    }
    const auto skip = e.trips.answer(at);
    for (std::size_t w = 0; w < skip.trips.size(); ++w) {
        core_.cut_trips(w, skip.trips[w]);
    }
    dealer_.leave_out(skip.cycles);
    return true;
}

void SmRun::tell_progress() {
    const double left_out = extrapolation_ ? extrapolation_->left_out.counters.instructions : 0;
    const double done = counters().instructions + left_out;
    const double part = all_instructions_ > 0 ? std::min(1.0, done / all_instructions_) : 0;
    setup_.progress->add(std::max(0.0, part - told_));
    told_ = std::max(told_, part);
}

double SmRun::idle(Cycle now) const {
    const auto& machine = setup_.machine;
    const double issuing =
        account_.counters().instructions / machine.schedulers * static_cast<double>(machine.issue_interval);
    const double busy =
        std::max(memory_.busy_cycles(), issuing) / static_cast<double>(std::max<Cycle>(now, 1));
    return 1 - std::min(busy, 1.0);
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

void SmRun::stopped(const std::string& why, SimResult& result) const {
    result.status = SimStatus::no_progress;
    result.reason = why;
    for (const auto& warp : core_.warps()) {
        if (warp.live) {
            const auto place = account_.place_of(warp.op());
            result.reason += fmt::format("; block slot {} warp {}: {} instruction {}, {}", warp.name.slot,
                                         warp.name.warp, place.segment != nullptr ? place.segment->name : "",
                                         place.index, to_string(warp.reason));
        }
    }
}

void SmRun::fill_in(SimResult& result) const {
    result.cycles = std::max(static_cast<double>(dealer_.end()), memory_.drained());
    result.counters = counters();
    result.accounted_warp_cycles = account_.accounted_warp_cycles();
    result.resident_warp_cycles = account_.resident_warp_cycles();
    result.simulated_instructions = static_cast<std::int64_t>(result.counters.instructions);
    auto& done = result.extrapolation;
    done.simulated_trips = done.trips = longest_loop_trips(decoded_);
    done.simulated_blocks = done.blocks = static_cast<std::int64_t>(dealer_.blocks());
    auto stalls = account_.stalls();
    if (extrapolation_) {
        add_left_out(extrapolation_->left_out, stalls, result);
    }
    for (std::size_t i = 0; i < stalls.size(); ++i) {
        auto& line = result.instructions.emplace_back();
        line.segment = decoded_.code[i].segment;
        line.instruction = decoded_.code[i].index;
        std::copy(stalls[i].begin(), stalls[i].end(), line.cycles.begin());
    }
}

void SmRun::add_left_out(const LeftOut& left_out, std::vector<StallCycles>& stalls, SimResult& result) const {
    result.cycles += static_cast<double>(left_out.cycles);
    add_scaled(result.counters, left_out.counters, {}, 1);
    add_scaled(stalls, left_out.stalls, {}, 1);
    auto& done = result.extrapolation;
    done.simulated_blocks -= left_out.blocks;
    const auto warps = static_cast<double>(done.simulated_blocks * core_.warps_per_block());
    done.simulated_trips -= std::min<std::int64_t>(done.trips, std::llround(left_out.warp_trips / warps));
    done.error_bound_pct = 100 * left_out.error_cycles / result.cycles;
}

}  // namespace gpumodel::sim
