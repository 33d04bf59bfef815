// How long the L2 needs for a launch's atomic operations on global memory.
#pragma once

#include <vector>

#include "model/memory/traffic.h"

namespace gpumodel {

// SM cycles, array by array: the slices' cycles for all its sectors (costs/atomic_costs.h) / the slices that
// its distinct lines keep at work; the longest, since arrays may lie in different slices. 0 without atomics.
// Ignored: that some words are named more often than others, where data decide which.
[[nodiscard]] double atomic_bound_cycles(const std::vector<AnalysedSite>& sites);

}  // namespace gpumodel
