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

double L1Costs::store_cycles(double sectors, double requests) const {
    constexpr double sectors_per_cycle = 4;  // a line
    return std::max(sectors / sectors_per_cycle, requests);
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
    costs.latency = l1.latency_cycles;
    costs.read_only_latency = arch.read_only.latency_cycles;
    return costs;
}

}  // namespace gpumodel
