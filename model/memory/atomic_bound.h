// How long the L2 needs for a launch's atomic operations on global memory, and for few lines that many want.
#pragma once

#include <vector>

#include "model/memory/costs/behind_l1.h"
#include "model/memory/traffic.h"

namespace gpumodel {

// SM cycles: of the slice that has most to do for few lines (hot_slice.h), or, array by array,
//   the slices' cycles for all its sectors (costs/atomic_costs.h) / the slices that its distinct lines keep
//   at work, behind an even part of other arrays' and `others`, a slice's reads and stores, as it does one
//   thing at a time;
// the longest, since arrays may lie in different slices. 0 without any. `arrays`: the program's.
[[nodiscard]] double atomic_bound_cycles(const std::vector<AnalysedSite>& sites, bool data_decides = false,
                                         double others = 0, const std::vector<ArrayUse>& arrays = {});

// SM cycles that each slice is at work for the launch's reads and stores (costs/behind_l1.h), as if all had
// as many; 0 where slices do several things at a time. `sms`: whose shares `behind` has. `stale`: Traffic's.
[[nodiscard]] double cycles_beside_atomics(const std::vector<AnalysedSite>& sites, const BehindL1& behind,
                                           double sms, const std::vector<StaleCopies>& stale);

}  // namespace gpumodel
