// What a calibration is worth on launches that it has not seen.
#pragma once

#include "validate/accuracy/error_statistics.h"
#include "validate/calibrate/kernel_residuals.h"

namespace gpumodel {

// Of the test half of kernel times; both specs predict the same launches.
struct HeldBack {
    ModelKind model = ModelKind::analytic;
    ErrorStatistics before, after;  // by the spec to start from, by the calibrated one
};

// Launches that one of the specs cannot run are left out; no launches are left if all are.
[[nodiscard]] HeldBack judge_held_back(const std::vector<Measurement>& measurements, const ArchSpec& before,
                                       const ArchSpec& after, const ResidualOptions& options = {});

}  // namespace gpumodel
