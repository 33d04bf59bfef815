// The simulator's Prediction: what describe_launch() says of launch, occupancy, memory sites and bounds, with
// time, cycles, traffic, achieved occupancy, bottleneck and the counters that depend on them from simulate().
//
// Throws as simulate() does. A block that does not fit gives status infeasible with the reason, a run without
// progress status error with the dump of where each warp stands.
#pragma once

#include "model/analytic/describe_launch.h"
#include "model/sim/simulate.h"

namespace gpumodel {

[[nodiscard]] Prediction predict_simulated(const KernelProgram& program, const ArchSpec& arch,
                                           const SimOptions& options = {});

// The same of a launch that has been described, and of a run of it that the caller has.
[[nodiscard]] Prediction predict_simulated(const DescribedLaunch& launch, const SimOptions& options);
[[nodiscard]] Prediction predict_simulated(const DescribedLaunch& launch, const SimResult& run);

}  // namespace gpumodel
