// The analytic model: KernelProgram + ArchSpec -> Prediction. Steady state of a block (latency.h),
// wave quantisation and tail (waves.h) and launch overhead are kept apart:
//   cycles = full rounds * together(resident blocks) + together(tail blocks), at least blocks / dispatch rate
//   time   = cycles / SM clock + launch overhead
// "Time" is what CUDA events report as the median of back-to-back launches of the kernel alone.
#pragma once

#include <optional>

#include "model/prediction.h"

namespace gpumodel {

struct PredictOptions {
    L2State l2 = L2State::warm;
};

// Never throws for a kernel that does not fit: status infeasible with the reason.
[[nodiscard]] Prediction predict_analytic(const KernelProgram& program, const ArchSpec& arch,
                                          const PredictOptions& options = {});

// Occupancy of the launch with the program's own resources; static shared arrays cannot use the opt-in range.
[[nodiscard]] Occupancy launch_occupancy(const KernelProgram& program, const ArchSpec& arch);

// L1 capacity beside the shared memory that `blocks` resident blocks use: the unified array less the
// smallest carve-out that holds them, or the L1 size of the chosen split.
[[nodiscard]] std::int64_t l1_capacity(const ArchSpec& arch, const Occupancy& occupancy);

}  // namespace gpumodel
