// The analytic model: KernelProgram + ArchSpec -> Prediction. Steady state of a block (latency.h),
// wave quantisation and tail (waves.h) and launch overhead are kept apart:
//   cycles = full rounds * together(resident blocks) + together(tail blocks), at least blocks / dispatch rate
//   time   = cycles / SM clock + launch overhead
// "Time" is what CUDA events report as the median of back-to-back launches of the kernel alone.
#pragma once

#include "model/analytic/describe_launch.h"

namespace gpumodel {

struct PredictOptions {
    L2State l2 = L2State::warm;
};

// Never throws for a kernel that does not fit: status infeasible with the reason.
[[nodiscard]] Prediction predict_analytic(const KernelProgram& program, const ArchSpec& arch,
                                          const PredictOptions& options = {});

// The same of a launch that has been described.
[[nodiscard]] Prediction predict_analytic(DescribedLaunch launch);

}  // namespace gpumodel
