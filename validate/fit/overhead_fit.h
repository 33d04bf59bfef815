// Fits the rows of overhead.csv and overhead_shares.csv to compiled kernels.
#pragma once

#include <vector>

#include "validate/fit/overhead_samples.h"

namespace gpumodel {

// Every row of `generation` in `tables` that at least 4 samples decide is fitted anew to those that are not
// held back (least absolute errors); `instances` becomes how many there were. Other rows stay. The pieces of
// a row (region, shape, body, when) are the reader's to choose, as new lines of the file with any weights.
void fit_overhead(CompilerTables& tables, CodeGeneration generation,
                  const std::vector<OverheadSample>& samples);

// Mean over samples: by how much of all its instructions the rows miss what a kernel executes.
[[nodiscard]] double instruction_error(const CompilerTables& tables, CodeGeneration generation,
                                       const std::vector<OverheadSample>& samples);

}  // namespace gpumodel
