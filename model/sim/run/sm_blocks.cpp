// Blocks on the SM: start, barriers, end.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "model/sim/run/sm_run.h"

namespace gpumodel::sim {

void SmRun::place_warps() {
    warps_per_block_ = static_cast<int>(decoded_.bodies.front().stream_of_warp.size());
    for (const auto& body : decoded_.bodies) {
        for (const auto& stream : body.streams) {
            scores_per_warp_ = std::max(scores_per_warp_, stream.scoreboard_size);
        }
    }
    const int resident = std::min(plan_.resident, static_cast<int>(plan_.share));
    const auto count = static_cast<std::size_t>(resident * warps_per_block_);
    warps_.resize(count);
    scores_.resize(count * static_cast<std::size_t>(scores_per_warp_));
    score_reasons_.resize(scores_.size());
    slots_.resize(static_cast<std::size_t>(resident));
    for (int s = 0; s < setup_.machine.schedulers; ++s) {
        schedulers_.push_back({{},
                               {},
                               0,
                               never,
                               0,
                               0,
                               SchedulerState(setup_.machine.policy),
                               OperandPorts(setup_.arch.sm.register_file),
                               {}});
    }
    for (std::size_t w = 0; w < count; ++w) {
        auto& warp = warps_[w];
        warp.block_slot = static_cast<std::int32_t>(w) / warps_per_block_;
        warp.in_block = static_cast<std::int32_t>(w) % warps_per_block_;
        warp.scheduler = static_cast<std::int32_t>(w) % setup_.machine.schedulers;
        auto& s = schedulers_[static_cast<std::size_t>(warp.scheduler)];
        warp.place = s.places++;
        s.warp[static_cast<std::size_t>(warp.place)] = static_cast<std::int32_t>(w);
        s.ready_at[static_cast<std::size_t>(warp.place)] = never;
        const auto first = w * static_cast<std::size_t>(scores_per_warp_);
        warp.scores = scores_.data() + first;
        warp.score_reasons = score_reasons_.data() + first;
    }
    for (int slot = 0; slot < resident; ++slot) {
        start_block(slot, plan_.earliest_start[static_cast<std::size_t>(slot)]);
    }
}

void SmRun::start_block(int slot, Cycle start) {
    auto& where = slots_[static_cast<std::size_t>(slot)];
    where = {next_block_++, warps_per_block_, 0, 0, true};
    taken_at_.push_back(static_cast<double>(start + skip_.cycles));
    const auto& block = plan_.blocks[where.block];
    const int body = table_.body_of(block);
    const auto& patterns = table_.patterns(block);
    const auto& streams = decoded_.bodies[static_cast<std::size_t>(body)];
    ++generation_;
    if (listener_ != nullptr) {
        listener_->block_started(start, slot, block_index(where.block), warps_per_block_);
    }
    for (int w = 0; w < warps_per_block_; ++w) {
        auto& warp = warps_[static_cast<std::size_t>(slot * warps_per_block_ + w)];
        const auto index = static_cast<std::size_t>(w);
        const int stream = streams.stream_of_warp[index];
        warp.stream = &streams.streams[static_cast<std::size_t>(stream)];
        if (skip_.on) {
            warp.profile = &skip_.profiles[static_cast<std::size_t>(body)][static_cast<std::size_t>(stream)];
        }
        warp.trips = plan_.trips[static_cast<std::size_t>(body)][static_cast<std::size_t>(stream)].data();
        warp.patterns = patterns.of_warp[index].data();
        warp.shared_patterns = patterns.shared_of_warp[index].data();
        warp.strides = table_.strides(body, stream).data();
        warp.dram =
            setup_.dram_shares[static_cast<std::size_t>(body)][static_cast<std::size_t>(stream)].data();
        warp.shared_strides = table_.shared_strides(body, stream).data();
        warp.block_dx = block.x - patterns.origin.x;
        warp.block_dy = block.y - patterns.origin.y;
        warp.block_dz = block.z - patterns.origin.z;
        std::fill_n(warp.scores, scores_per_warp_, Score{});
        warp.counters = {};
        warp.pc = 0;
        warp.fetch_line = -1;
        warp.newest = warp.older = {};
        warp.batch_is_new = false;
        warp.started = warp.accounted = start;
        warp.generation = generation_;
        warp.live = true;
        schedulers_[static_cast<std::size_t>(warp.scheduler)].state.started(warp.place, generation_);
        if (warp.stream->ops.empty()) {
            finish_warp(warp, start - 1);
        } else {
            prepare(warp, start, StallReason::wait);
        }
    }
}

void SmRun::finish_warp(Warp& warp, Cycle now) {
    schedulers_[static_cast<std::size_t>(warp.scheduler)].ready_at[static_cast<std::size_t>(warp.place)] =
        never;
    warp.live = false;
    skip_.warp_has_ended = true;
    out_.resident_warp_cycles += static_cast<double>(now + 1 - warp.started);
    const int slot = warp.block_slot;
    auto& where = slots_[static_cast<std::size_t>(slot)];
    if (--where.live_warps > 0) {
        release_if_complete(slot, now);
        return;
    }
    where.running = false;
    const Cycle end = now + 1;
    out_.end = std::max(out_.end, static_cast<double>(end));
    if (listener_ != nullptr) {
        listener_->block_ended(end, slot, block_index(where.block));
    }
    if (skip_.on) {
        end_block(end);
    }
    if (queue_has_block(end)) {
        const auto turnover = static_cast<Cycle>(setup_.arch.launch.block_turnover_cycles);
        start_block(slot, std::max(end + turnover, plan_.earliest_start[next_block_] - skip_.cycles));
        taken_at_.back() = static_cast<double>(end + skip_.cycles);
    }
}

// The SM gets its even share, and beyond it what slower SMs have not taken from the queue by then: equal
// blocks take SMs times that are spread normally, and the busiest SM is one of the fastest tenth (quick_sm
// deviations ahead of the mean).
bool SmRun::queue_has_block(Cycle now) const {
    if (next_block_ < plan_.share || next_block_ >= plan_.blocks.size()) {
        return next_block_ < plan_.share;
    }
    constexpr double quick_sm = 1.28;
    const auto at = static_cast<double>(now + skip_.cycles);
    const double deviation = setup_.arch.launch.sm_time_spread * at;
    double taken = static_cast<double>(skip_.blocks);  // by an SM
    for (const double when : taken_at_) {
        const double ahead = (at - when) / deviation - quick_sm;
        taken += 0.5 * std::erfc(-ahead * std::numbers::sqrt2 / 2);
    }
    return taken * setup_.arch.sm_count < static_cast<double>(plan_.launch_blocks);
}

void SmRun::arrive(Warp& warp, Cycle now) {
    if (warp.pc >= static_cast<std::int32_t>(warp.stream->ops.size())) {
        finish_warp(warp, now);
        return;
    }
    warp.reason = StallReason::barrier;
    warp.waits_for_registers = false;
    warp.not_before = never;
    schedulers_[static_cast<std::size_t>(warp.scheduler)].ready_at[static_cast<std::size_t>(warp.place)] =
        never;
    auto& where = slots_[static_cast<std::size_t>(warp.block_slot)];
    ++where.arrived;
    where.last_arrival = std::max(static_cast<double>(now), arrivals_free_);
    arrivals_free_ = where.last_arrival + setup_.machine.arrival_cycles;
    release_if_complete(warp.block_slot, now);
}

void SmRun::release_if_complete(int slot, Cycle now) {
    auto& where = slots_[static_cast<std::size_t>(slot)];
    if (where.arrived == 0 || where.arrived < where.live_warps) {
        return;
    }
    where.arrived = 0;
    const auto complete = std::max(now, static_cast<Cycle>(std::ceil(where.last_arrival - 1e-6)));
    if (listener_ != nullptr) {
        listener_->barrier_released(complete, slot, block_index(where.block));
    }
    for (int w = 0; w < warps_per_block_; ++w) {
        auto& warp = warps_[static_cast<std::size_t>(slot * warps_per_block_ + w)];
        if (warp.live) {
            prepare(warp, complete + setup_.machine.barrier_latency, StallReason::barrier);
        }
    }
}

void SmRun::stop_without_progress(Cycle now, const std::string& why) {
    out_.status = SimStatus::no_progress;
    out_.reason = now < never ? fmt::format("{} at cycle {}", why, now) : why;
    for (const auto& warp : warps_) {
        if (!warp.live) {
            continue;
        }
        const auto& op = warp.stream->ops[static_cast<std::size_t>(warp.pc)];
        const auto& line = decoded_.code[static_cast<std::size_t>(op.code)];
        out_.reason += fmt::format("; block slot {} warp {}: {} instruction {}, {}", warp.block_slot,
                                   warp.in_block, line.segment != nullptr ? line.segment->name : "",
                                   line.index, to_string(warp.reason));
    }
}

}  // namespace gpumodel::sim
