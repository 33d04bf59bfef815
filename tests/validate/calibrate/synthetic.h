// Microbenchmarks of a GPU that is known: the forward models of a spec, with noise of a fixed seed.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "validate/calibrate/calibrate.h"
#include "validate/calibrate/forward_model.h"

namespace gpumodel::synthetic {

[[nodiscard]] MicrobenchmarkRow row(const std::string& benchmark, std::map<std::string, std::string> params,
                                    double median = 1);

// What the benchmark's model says of `arch`.
[[nodiscard]] double predicted(const MicrobenchmarkRow& row, const ArchSpec& arch);

// Every benchmark at the parameters that a run on a GPU uses; medians of `truth` with normal noise of
// relative deviation `noise`, min and max two deviations away. Clipped at +-3 deviations. Rows that determine
// nothing with `base` as the start read 1.
[[nodiscard]] MicrobenchmarkFile measured_on(const ArchSpec& truth, const ArchSpec& base, double noise,
                                             unsigned seed);

[[nodiscard]] std::string csv_of(const MicrobenchmarkFile& file);

[[nodiscard]] const CalibratedKey& key_named(const Calibration& calibration, const std::string& key);

}  // namespace gpumodel::synthetic
