// Predicted counters under Nsight Compute's names (Volta and later metric names, used for every
// generation; nvprof's names for Kepler map onto them in the documentation of Nsight Compute).
#pragma once

#include <vector>

#include "model/prediction.h"

namespace gpumodel {

// Reads the filled prediction (traffic, waves, occupancy, time) and the analysed sites.
[[nodiscard]] std::vector<Counter> predicted_counters(const KernelProgram& program, const FlatProgram& flat,
                                                      const std::vector<AnalysedSite>& sites,
                                                      const ArchSpec& arch, const Prediction& prediction);

// All names that predicted_counters can give, in its order: the csv header.
[[nodiscard]] const std::vector<std::string>& counter_names();

}  // namespace gpumodel
