#include "model/memory/costs/l1_costs.h"

#include <algorithm>

namespace gpumodel {

double L1Costs::load_cycles(const L1Work& work) const {
    double cycles = work.requests * least_per_load;
    if (lines_per_cycle > 0) {
        cycles = std::max(cycles, work.lines / lines_per_cycle);
    }
    if (bytes_per_cycle > 0) {
        cycles = std::max(cycles, work.bytes / bytes_per_cycle);
    }
    if (data_stage) {
        cycles = std::max(cycles, work.wavefronts);
    }
    if (one_by_one) {
        cycles = std::max(cycles, work.transactions);
    }
    return cycles + work.requests * extra_per_load;
}

double L1Costs::texture_cycles(TextureUnit unit, int bytes_per_lane, const TextureFilter& filter,
                               const L1Work& work) const {
    constexpr int lanes = 32;
    const int pass_bytes = unit == TextureUnit::surface ? 4 : 8;
    const int passes =
        filter.passes > 0 ? filter.passes : std::max(1, (bytes_per_lane + pass_bytes - 1) / pass_bytes);
    const double rate = unit == TextureUnit::sample ? sample_lanes_per_cycle : fetch_lanes_per_cycle;
    double cycles = std::max(work.requests, data_stage ? work.wavefronts : 0);
    if (rate > 0) {
        cycles = std::max(cycles, work.requests * lanes * passes / rate);
    }
    if (texture_lines_per_cycle > 0) {
        cycles = std::max(cycles, work.lines * filter.planes / texture_lines_per_cycle);
    }
    return cycles;
}

double L1Costs::texture_delay(TextureUnit unit, bool read_only_path) const {
    const double hit = unit == TextureUnit::sample ? sample_latency : fetch_latency;
    if (unit == TextureUnit::none || hit <= 0) {
        return 0;
    }
    return std::max(0.0, hit - (read_only_path ? read_only_latency : latency));
}

double L1Costs::copy_cycles(const L1Work& work) const {
    constexpr double bytes_of_wavefront = 128;
    return std::max(work.requests, work.lines * copy_line_cycles - work.bytes / bytes_of_wavefront);
}

double L1Costs::store_cycles(const L1Work& work) const {
    constexpr double sectors_per_cycle = 4;  // a line
    return std::max(work.sectors / sectors_per_cycle, work.requests);
}

L1Costs l1_costs(const ArchSpec& arch) {
    const auto& l1 = arch.l1;
    L1Costs costs;
    costs.least_per_load = l1.min_cycles_per_request;
    costs.extra_per_load = l1.extra_cycles_per_request;
    costs.lines_per_cycle = l1.tag_lines_per_cycle;
    costs.bytes_per_cycle = l1.bandwidth_bytes_per_cycle;
    costs.data_stage = l1.caches_global_loads;
    costs.one_by_one = arch.l2.size_bytes == 0;
    costs.fill_cycles_per_byte = l1.bandwidth_bytes_per_cycle > 0 ? 1 / l1.bandwidth_bytes_per_cycle : 0;
    costs.miss_line_cycles = l1.miss_lines_per_cycle ? 1 / *l1.miss_lines_per_cycle : 0;
    costs.copy_line_cycles = l1.copy_lines_per_cycle ? 1 / *l1.copy_lines_per_cycle : 0;
    costs.latency = l1.latency_cycles;
    costs.local_latency = l1.local_latency_cycles.value_or(l1.latency_cycles);
    costs.read_only_latency = arch.read_only.latency_cycles;
    costs.sample_lanes_per_cycle = arch.texture.sample_lanes_per_cycle.value_or(0);
    costs.fetch_lanes_per_cycle = arch.texture.fetch_lanes_per_cycle.value_or(0);
    costs.texture_lines_per_cycle = arch.texture.lines_per_cycle.value_or(0);
    costs.sample_latency = arch.texture.sample_latency_cycles.value_or(0);
    costs.fetch_latency = arch.texture.fetch_latency_cycles.value_or(0);
    return costs;
}

}  // namespace gpumodel
