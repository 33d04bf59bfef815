// The simulator's Prediction: what predict_analytic() reports of launch, occupancy, memory sites and bounds,
// with time, cycles, achieved occupancy, bottleneck and the counters that depend on them from simulate().
//
// Input: programs at instruction level (generate_code makes a family's one); throws as simulate() does. A
// block that does not fit gives status infeasible with the reason, a run without progress status error with
// the dump of where each warp stands.
#pragma once

#include "model/prediction.h"
#include "model/sim/simulate.h"

namespace gpumodel {

[[nodiscard]] Prediction predict_simulated(const KernelProgram& program, const ArchSpec& arch,
                                           const SimOptions& options = {});

// The same from an analytic prediction and a run of the launch that the caller has.
[[nodiscard]] Prediction with_run(Prediction analytic, const SimResult& run, const KernelProgram& program,
                                  const ArchSpec& arch);

}  // namespace gpumodel
