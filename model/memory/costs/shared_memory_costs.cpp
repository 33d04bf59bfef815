#include "model/memory/costs/shared_memory_costs.h"

#include <algorithm>

namespace gpumodel {

namespace {

std::size_t width_of(int words) {
    return static_cast<std::size_t>(std::clamp(words, 1, widest_access_words));
}

}  // namespace

double SharedMemoryCosts::request_cycles(int words, double wavefronts, double requests) const {
    const double passes = wavefronts * wavefront_cycles * slowness[width_of(words)];
    return std::max(passes, requests * least_per_request) + requests * extra_per_request;
}

double SharedMemoryCosts::load_latency(int words, double wavefronts) const {
    const auto width = width_of(words);
    return latency[width] + std::max(0.0, wavefronts - fewest_wavefronts(words)) * conflict_cycles[width];
}

SharedMemoryCosts shared_memory_costs(const ArchSpec& arch) {
    const auto& shared = arch.sm.shared_memory;
    const auto& widths = shared.bank_widths_bytes;
    const int width = widths.empty() ? 4 : *std::max_element(widths.begin(), widths.end());
    SharedMemoryCosts costs;
    // a wavefront is of 32 lanes: banks beyond that part conflicts and deliver no more at once
    costs.wavefront_cycles =
        std::min(shared.banks, arch.sm.warp_size) * width / shared.bandwidth_bytes_per_cycle;
    costs.interval_cycles = shared.sub_partition_interval_cycles;
    costs.spacing_cycles = std::max(costs.interval_cycles, costs.wavefront_cycles);
    costs.least_per_request = shared.min_cycles_per_request;
    costs.extra_per_request = shared.extra_cycles_per_request;
    if (shared.rule == SharedMemoryRule::cc3_x) {
        costs.slowness = {1, 1, 1.31, 1.155, 1.155};  // 1.01, 1.32, 2.32 cycles
    }
    costs.latency = {shared.latency_32_cycles, shared.latency_32_cycles, shared.latency_64_cycles,
                     shared.latency_128_cycles, shared.latency_128_cycles};
    for (std::size_t words = 0; words < costs.conflict_cycles.size(); ++words) {
        costs.conflict_cycles[words] =
            std::max(costs.spacing_cycles,
                     shared.conflict_latency_cycles +
                         static_cast<double>(words) * shared.conflict_latency_per_word_cycles.value_or(0));
    }
    return costs;
}

}  // namespace gpumodel
