// Fits the weights of the register estimate (traces/kernel/compiler/registers.h) to what ptxas reported.
#pragma once

#include <vector>

#include "traces/kernel/compiler/compiler_tables.h"
#include "validate/fit/register_samples.h"

namespace gpumodel {

// The rows of one shape, by generation, fitted to the samples that are not held back: weights that all
// generations share, then per generation a correction that is kept small by a ridge term, both by least
// absolute relative error (iteratively reweighted least squares), for every pair of snap distances; the pair
// that serves best is kept. Generations from 10.0 on share with 9.0 alone, so that what is added there leaves
// the others as they are. Empty without samples.
[[nodiscard]] std::vector<RegisterWeights> fit_registers(CodeShape shape,
                                                         const std::vector<RegisterSample>& samples);

}  // namespace gpumodel
