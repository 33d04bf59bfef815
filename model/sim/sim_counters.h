// Counters of a simulated launch under Nsight Compute's names: those that follow from the program and its
// addresses as the analytic model has them, those that depend on what happens over time from the run.
#pragma once

#include <vector>

#include "model/prediction.h"
#include "model/sim/simulate.h"

namespace gpumodel {

// `prediction` holds the analytic counters and the simulated time, cycles, traffic and achieved occupancy.
[[nodiscard]] std::vector<Counter> simulated_counters(const SimResult& run, const ArchSpec& arch,
                                                      const Prediction& prediction);

}  // namespace gpumodel
