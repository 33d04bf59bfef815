// What an access to shared memory costs in the SM's data pipe, and how long its result takes: one book for
// the analytic model, the simulator and the calibration.
//
//   request  max(W * w * slowness of the width, min_cycles_per_request) + extra_cycles_per_request,
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
    // By words of width: wavefronts of wide accesses take longer on Kepler. Zhang et al. (PPoPP 2017), figure
    // 4, conflict-free loads on one SM of a K20m: 89.5 and 137.3 GB/s at 706 MHz for 32 and 64 bits, so 1.01
    // and 1.32 cycles a request. 128 bits reach 68.5 GB/s there, 5.28 cycles for 512 different bytes; loads
    // of a few words for many lanes, as products have them, cannot take that long (the K40m's published
    // ladder would come out 30 to 38 % slower than it ran): estimated as 0.32 beyond their two wavefronts.
    // Stores and conflicts: estimated, as loads.
    std::array<double, widest_access_words + 1> slowness{1, 1, 1, 1, 1};
    std::array<double, widest_access_words + 1> latency{};          // by words of width, fewest wavefronts
    std::array<double, widest_access_words + 1> conflict_cycles{};  // by words: each wavefront beyond

    // Of the data pipe; both may be totals or means over many requests.
    [[nodiscard]] double request_cycles(int words, double wavefronts, double requests = 1) const;
    // Load to use on an idle SM.
    [[nodiscard]] double load_latency(int words, double wavefronts) const;
};

[[nodiscard]] SharedMemoryCosts shared_memory_costs(const ArchSpec& arch);

}  // namespace gpumodel
