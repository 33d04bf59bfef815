// How long the L2 needs for a launch's atomic operations on global memory.
#pragma once

#include <optional>
#include <vector>

#include "model/memory/costs/behind_l1.h"
#include "model/memory/traffic.h"

namespace gpumodel {

// SM cycles, array by array; the longest, since arrays may lie in different slices. 0 without atomics. A
// slice does one thing at a time: its even part of other arrays' atomics comes on top, and `others`, its
// reads and stores.
//   the slices' cycles for all its sectors (costs/atomic_costs.h) / the slices that its distinct lines keep
//   at work; where data decide which words are named, or no block nor trip names others, the cycles of the
//   slice whose lines are named most often, with its part of all others. The executed block of each box and
//   its first trip stand for what it stands for.
[[nodiscard]] double atomic_bound_cycles(const std::vector<AnalysedSite>& sites, bool data_decides = false,
                                         double others = 0);

// The slice whose lines are named most often, if it has more to do than its even part of all atomics; none
// where it is not known which lines are named.
[[nodiscard]] std::optional<HotSlice> find_hot_slice(const std::vector<AnalysedSite>& sites,
                                                     bool data_decides);

// SM cycles that each slice is at work for the launch's reads and stores (costs/behind_l1.h), as if all had
// as many; 0 where slices do several things at a time. `sms`: whose shares `behind` has. `stale`: Traffic's.
[[nodiscard]] double cycles_beside_atomics(const std::vector<AnalysedSite>& sites, const BehindL1& behind,
                                           double sms, const std::vector<StaleCopies>& stale);

}  // namespace gpumodel
