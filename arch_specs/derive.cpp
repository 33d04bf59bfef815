#include "arch_specs/derive.h"

#include <cmath>

namespace gpumodel {

namespace {

double global_load_latency(const ArchSpec& spec) {
    if (spec.l1.unified_bytes > 0 && spec.l1.caches_global_loads) {
        return spec.l1.latency_cycles;
    }
    return spec.l2.size_bytes > 0 ? spec.l2.latency_cycles : spec.dram.latency_cycles;
}

double derived_latency(const ArchSpec& spec, OpClass op) {
    switch (op) {
        case OpClass::shared_load:
            return spec.sm.shared_memory.latency_32_cycles;
        case OpClass::global_load:
        case OpClass::async_copy:
            return global_load_latency(spec);
        case OpClass::barrier:
            return spec.sm.barrier.latency_cycles;
        case OpClass::branch:
            return spec.sm.branch_latency_cycles;
        default:
            return 0;
    }
}

}  // namespace

bool has_derived_latency(OpClass op) {
    switch (op) {
        case OpClass::shared_load:
        case OpClass::shared_store:
        case OpClass::global_load:
        case OpClass::global_store:
        case OpClass::async_copy:
        case OpClass::barrier:
        case OpClass::branch:
            return true;
        default:
            return false;
    }
}

double fp32_peak_at(const ArchSpec& spec, double clock_hz) {
    const auto& ffma = spec.op(OpClass::ffma);
    return ffma ? 2 * ffma->lanes_per_cycle * spec.sm_count * clock_hz : 0;
}

double declared_clock_hz(const ArchSpec& spec) {
    double best = spec.clock.sm_hz;
    for (const auto& clock : {spec.clock.base_hz, spec.clock.boost_hz}) {
        const auto distance = [&](double hz) {
            return std::abs(fp32_peak_at(spec, hz) - spec.declared.fp32_flops.value_or(0));
        };
        if (spec.declared.fp32_flops && clock && distance(*clock) < distance(best)) {
            best = *clock;
        }
    }
    return best;
}

void derive(ArchSpec& spec) {
    for (std::size_t i = 0; i < op_class_count; ++i) {
        auto& timing = spec.sm.ops[i];
        if (!timing) {
            continue;
        }
        timing->initiation_interval_cycles =
            spec.sm.warp_size * spec.sm.sub_partitions / timing->lanes_per_cycle;
        if (has_derived_latency(static_cast<OpClass>(i))) {
            timing->latency_cycles = derived_latency(spec, static_cast<OpClass>(i));
        }
    }
    spec.peak_fp32_flops = fp32_peak_at(spec, spec.clock.sm_hz);
    spec.peak_shared_bytes_per_second =
        spec.sm.shared_memory.bandwidth_bytes_per_cycle * spec.sm_count * spec.clock.sm_hz;
    spec.peak_l2_bytes_per_second = spec.l2.read_bytes_per_cycle * spec.clock.sm_hz;
}

}  // namespace gpumodel
