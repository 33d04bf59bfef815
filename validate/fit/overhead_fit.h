// Fits the rows of overhead.csv and overhead_shares.csv to compiled kernels.
#pragma once

#include <vector>

#include "validate/fit/overhead_samples.h"

namespace gpumodel {

// Every row of `generation` in `tables` that carries instances is fitted anew to the samples that are not
// held back (least absolute errors); `instances` becomes how many there were; with fewer than 4 it stays. The
// pieces of a row (region, shape, body, when) are the reader's to choose, as new lines of the file with any
// weights and instances = 1. Rows of instances 0 were fitted to more listings than are in the tree and stay,
// unless `adopt`: then a fit to at least 20 takes their place where, each instance left out in turn, it errs
// less than the row.
void fit_overhead(CompilerTables& tables, CodeGeneration generation,
                  const std::vector<OverheadSample>& samples, bool adopt);

// Mean over samples: by how much of all its instructions the rows miss what a kernel executes.
[[nodiscard]] double instruction_error(const CompilerTables& tables, CodeGeneration generation,
                                       const std::vector<OverheadSample>& samples);

}  // namespace gpumodel
