// Fitted weights of the register estimate.
#pragma once

#include <span>

#include "traces/kernel/compiler/registers_features.h"

namespace gpumodel {

// One row per scheme and generation with data (sm_35, 70, 75, 80, 86, 90). Printed by
// validate/kernels/fit_registers.cpp from the calibration part of tests/traces/kernel/ptxas_registers.csv;
// not to be edited by hand.
[[nodiscard]] std::span<const RegisterWeights> register_table();

}  // namespace gpumodel
