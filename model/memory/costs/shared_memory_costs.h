// What an access to shared memory costs in the SM's data pipe, and how long its result takes: one book for
// the analytic model, the simulator and the calibration.
//
//   request  max(W * w, min_cycles_per_request) + extra_cycles_per_request,
//            w = banks * widest bank / bandwidth
//   spacing  max(sub_partition_interval, w): so far apart follow wavefronts of one sub-partition
//   latency  latency of the width + (W - fewest) * conflict,
//            conflict = max(spacing, conflict_latency + words * conflict_latency_per_word)
// with W wavefronts (model/memory/banks/bank_conflicts.h), of which the width alone needs `fewest`.
//
// Units: SM cycles, counted from issue. Pure functions of the spec.
#pragma once

#include <array>

#include "arch_specs/arch_spec.h"

namespace gpumodel {

inline constexpr int widest_access_words = 4;

// A 128-bit access of a whole warp takes two wavefronts at least, and the spec's latency contains them (H200
// microbenchmarks).
[[nodiscard]] constexpr int fewest_wavefronts(int words) {
    return words >= widest_access_words ? 2 : 1;
}

struct SharedMemoryCosts {
    double wavefront_cycles = 1;
    double interval_cycles = 1;  // of one sub-partition's turns in the data pipe, for global accesses too
    double spacing_cycles = 1;
    double least_per_request = 1, extra_per_request = 0;
    std::array<double, widest_access_words + 1> latency{};          // by words of width, fewest wavefronts
    std::array<double, widest_access_words + 1> conflict_cycles{};  // by words: each wavefront beyond

    // Of the data pipe; both may be totals or means over many requests.
    [[nodiscard]] double request_cycles(double wavefronts, double requests = 1) const;
    // Load to use on an idle SM.
    [[nodiscard]] double load_latency(int words, double wavefronts) const;
};

[[nodiscard]] SharedMemoryCosts shared_memory_costs(const ArchSpec& arch);

}  // namespace gpumodel
