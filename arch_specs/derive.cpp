#include "arch_specs/derive.h"

#include <cmath>
#include <optional>

namespace gpumodel {

namespace {

double global_load_latency(const ArchSpec& spec) {
    if (spec.l1.unified_bytes > 0 && spec.l1.caches_global_loads) {
        return spec.l1.latency_cycles;
    }
    return spec.l2.size_bytes > 0 ? spec.l2.latency_cycles : spec.dram.latency_cycles;
}

// Empty: the spec states it.
std::optional<double> derived_latency(const ArchSpec& spec, OpClass op) {
    switch (group_of(op)) {
        case OpGroup::fp32:
        case OpGroup::fp64_fp16:
        case OpGroup::integer:
        case OpGroup::move:
        case OpGroup::special:
        case OpGroup::shuffle:
        case OpGroup::tensor:
            return std::nullopt;
        case OpGroup::shared_store:
        case OpGroup::global_store:
            return 0;
        case OpGroup::shared_load:
            return spec.sm.shared_memory.latency_32_cycles;
        case OpGroup::global_load:
        case OpGroup::async_copy:
            return global_load_latency(spec);
        case OpGroup::barrier:
            return spec.sm.barrier.latency_cycles;
        case OpGroup::branch:
            return spec.sm.branch_latency_cycles;
    }
    return std::nullopt;
}

}  // namespace

bool has_derived_latency(OpClass op) {
    return derived_latency({}, op).has_value();
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
        timing->latency_cycles =
            derived_latency(spec, static_cast<OpClass>(i)).value_or(timing->latency_cycles);
    }
    spec.peak_fp32_flops = fp32_peak_at(spec, spec.clock.sm_hz);
    spec.peak_shared_bytes_per_second =
        spec.sm.shared_memory.bandwidth_bytes_per_cycle * spec.sm_count * spec.clock.sm_hz;
    spec.peak_l2_bytes_per_second = spec.l2.read_bytes_per_cycle * spec.clock.sm_hz;
}

}  // namespace gpumodel
