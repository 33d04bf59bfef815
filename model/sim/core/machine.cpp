#include "model/sim/core/machine.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>

#include "model/launch/barrier_costs.h"

namespace gpumodel::sim {
namespace {

int whole(double cycles) {
    return static_cast<int>(std::lround(cycles));
}

// Lanes of a pipe; where the spec has none, those of its fastest class.
double lanes_of(const ArchSpec& arch, std::size_t pipe) {
    if (arch.sm.pipe_lanes[pipe]) {
        return *arch.sm.pipe_lanes[pipe];
    }
    double lanes = 0;
    for (const auto& op : arch.sm.ops) {
        if (op && static_cast<std::size_t>(op->pipe) == pipe) {
            lanes = std::max(lanes, op->lanes_per_cycle);
        }
    }
    return lanes;
}

PipeUnits units_of(double lanes, const ArchSpec& arch) {
    const int schedulers = arch.sm.schedulers;
    if (lanes > 0 && lanes < schedulers) {  // FP64 of GA102: two lanes for four schedulers
        return {.interval = whole(arch.sm.warp_size * schedulers / lanes)};
    }
    const auto share = static_cast<unsigned>(std::max(1.0, lanes / schedulers));
    const int unit = std::min(arch.sm.warp_size, static_cast<int>(std::bit_floor(share)));
    PipeUnits units;
    units.interval = arch.sm.warp_size / unit;
    units.shared = std::clamp(static_cast<int>(lanes) / unit - schedulers, 0, max_shared_units);
    return units;
}

ClassTiming timing_of(const OpTiming& op, const PipeUnits& units, double lanes, const ArchSpec& arch) {
    constexpr double full_rate = 0.75;
    ClassTiming timing;
    timing.known = true;
    timing.pipe = static_cast<std::uint8_t>(op.pipe);
    timing.latency = whole(op.latency_cycles);
    if (op.lanes_per_cycle <= full_rate * lanes) {
        const double interval = arch.sm.warp_size * arch.sm.schedulers / op.lanes_per_cycle;
        timing.slow_interval = static_cast<std::uint16_t>(
            std::clamp(whole(pipe_ticks * interval), pipe_ticks * units.interval, UINT16_MAX));
    }
    return timing;
}

}  // namespace

Machine make_machine(const ArchSpec& arch) {
    Machine machine;
    machine.schedulers = arch.sm.schedulers;
    machine.issue_interval = whole(arch.sm.issue_interval_cycles);
    machine.conflicts_hold_scheduler = arch.sm.register_file.conflicts_hold_scheduler.value_or(false);
    machine.dispatch_units = arch.sm.dispatch_units_per_scheduler;
    machine.dual_issue = arch.sm.dual_issue.supported;
    machine.policy = arch.sm.scheduler_policy;
    machine.rotates_blocks = arch.sm.rotates_blocks.value_or(false);
    machine.branch_latency = whole(arch.sm.branch_latency_cycles);
    machine.branch_run_ahead = arch.sm.branch_run_ahead.value_or(0);
    machine.branch_latency_least =
        whole(arch.sm.branch_latency_least_cycles.value_or(arch.sm.branch_latency_cycles));
    machine.reconvergence = whole(arch.sm.reconvergence_cycles.value_or(0));
    machine.indirect_branch = whole(arch.sm.indirect_branch_cycles.value_or(0));
    const auto barrier = barrier_costs(arch.sm);
    machine.barrier_latency = whole(barrier.latency);
    machine.shared_latency = whole(arch.sm.shared_memory.latency_32_cycles);
    machine.arrival_cycles = barrier.arrival;
    machine.waits_for_stores = arch.l1.store_buffer_bytes.has_value();
    machine.memory_queue_depth = arch.sm.memory_queue_depth.value_or(machine.memory_queue_depth);
    const auto& release = arch.sm.source_release;
    machine.load_release = whole(release.load_cycles.value_or(0));
    machine.store_release = whole(release.store_cycles.value_or(0));
    machine.store_release_per_word = whole(release.store_per_word_cycles.value_or(0));
    machine.products = group_product_costs(arch);
    for (std::size_t p = 0; p < pipe_count; ++p) {
        machine.pipes[p] = units_of(lanes_of(arch, p), arch);
    }
    for (std::size_t c = 0; c < op_class_count; ++c) {
        if (const auto& op = arch.sm.ops[c]) {
            const auto pipe = static_cast<std::size_t>(op->pipe);
            machine.classes[c] = timing_of(*op, machine.pipes[pipe], lanes_of(arch, pipe), arch);
        }
    }
    return machine;
}

}  // namespace gpumodel::sim
