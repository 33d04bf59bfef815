// Configurations that would spill registers to local memory. The models leave that traffic out, so that a
// search would find its winners among them.
#pragma once

#include <string>

#include "tools/launch/prediction_job.h"

namespace gpumodel::cli::tuning {

// "320 registers per thread asked, 255 allowed: spills are not modelled", or "" where the code's registers
// fit: those that it would like to have without a limit (registers.h).
[[nodiscard]] std::string spill_reason(const PredictionJob& job, const ArchSpec& arch);

}  // namespace gpumodel::cli::tuning
