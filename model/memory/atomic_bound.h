// How long the L2 needs for a launch's atomic operations on global memory.
#pragma once

#include <vector>

#include "model/memory/traffic.h"

namespace gpumodel {

// SM cycles, array by array; the longest, since arrays may lie in different slices. 0 without atomics.
//   the slices' cycles for all its sectors (costs/atomic_costs.h) / the slices that its distinct lines keep
//   at work; where data decide which words are named, or no block nor trip names others, the cycles of the
//   slice whose lines are named most often, with its part of all others. The executed block of each box and
//   its first trip stand for what it stands for.
[[nodiscard]] double atomic_bound_cycles(const std::vector<AnalysedSite>& sites, bool data_decides = false);

}  // namespace gpumodel
