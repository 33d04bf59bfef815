#include "model/sim/memory/memory_costs.h"

#include <algorithm>
#include <cmath>

namespace gpumodel::sim {
namespace {

constexpr int widest_words = 4;

void set_slots(double cycles, double slot_cycles, PipeRequest& request) {
    request.slots = std::max(1, static_cast<int>(std::floor(cycles / slot_cycles + 1e-9)));
    request.slot_cycles = slot_cycles;
    request.last_slot_cycles = cycles - (request.slots - 1) * slot_cycles;
}

}  // namespace

MemoryCosts memory_costs(const ArchSpec& arch) {
    const auto& shared = arch.sm.shared_memory;
    MemoryCosts costs;
    const auto& widths = shared.bank_widths_bytes;
    const int width = widths.empty() ? 4 : *std::max_element(widths.begin(), widths.end());
    costs.wavefront_cycles = shared.banks * width / shared.bandwidth_bytes_per_cycle;
    costs.shared_min = shared.min_cycles_per_request;
    costs.shared_extra = shared.extra_cycles_per_request;
    costs.global_min = arch.l1.min_cycles_per_request;
    costs.global_extra = arch.l1.extra_cycles_per_request;
    costs.tag_lines = arch.l1.tag_lines_per_cycle;
    const double fill_rate = arch.l1.bandwidth_bytes_per_cycle;
    costs.fill_cycles_per_byte = fill_rate > 0 ? 1 / fill_rate : 0;
    costs.miss_line_cycles = arch.l1.miss_lines_per_cycle ? 1 / *arch.l1.miss_lines_per_cycle : 0;
    costs.l1_data_stage = arch.l1.caches_global_loads;
    costs.l1_latency = arch.l1.latency_cycles;
    costs.read_only_latency = arch.read_only.latency_cycles;
    costs.interval = shared.sub_partition_interval_cycles;
    costs.shared_latency = {shared.latency_32_cycles, shared.latency_32_cycles, shared.latency_64_cycles,
                            shared.latency_128_cycles, shared.latency_128_cycles};
    costs.conflict_latency = shared.conflict_latency_cycles;
    costs.conflict_latency_per_word = shared.conflict_latency_per_word_cycles.value_or(0);
    return costs;
}

void set_shared_slots(const MemoryCosts& costs, const AccessCost& access, PipeRequest& request) {
    const double cycles =
        std::max(access.wavefronts * costs.wavefront_cycles, costs.shared_min) + costs.shared_extra;
    set_slots(cycles, costs.wavefront_cycles, request);
    request.slots = std::max(1, static_cast<int>(access.wavefronts));
    request.last_slot_cycles = cycles - (request.slots - 1) * costs.wavefront_cycles;
}

void set_global_load_slots(const MemoryCosts& costs, const AccessCost& access, PipeRequest& request) {
    double cycles = costs.global_min;
    if (costs.tag_lines > 0) {
        cycles = std::max(cycles, access.line_count / costs.tag_lines);
    }
    if (costs.l1_data_stage) {
        cycles = std::max(cycles, static_cast<double>(access.wavefronts));
    }
    set_slots(cycles + costs.global_extra, 1, request);
}

void set_global_store_slots(const MemoryCosts& costs, const AccessCost& access, PipeRequest& request) {
    set_slots(std::max(1.0, access.sectors / costs.sectors_per_slot), 1, request);
}

double shared_arrival(const MemoryCosts& costs, int words, int wavefronts, double last_start) {
    const int fewest = words == widest_words ? 2 : 1;
    const double spacing = std::max(costs.interval, costs.wavefront_cycles);
    const double beyond =
        std::max(0.0, costs.conflict_latency + words * costs.conflict_latency_per_word - spacing);
    const int conflicts = std::max(0, wavefronts - fewest);
    return last_start - (std::min(fewest, wavefronts) - 1) * spacing - issue_to_data_pipe +
           costs.shared_latency[static_cast<std::size_t>(std::min(words, widest_words))] + conflicts * beyond;
}

}  // namespace gpumodel::sim
