// Distinct bytes that sites touch together over a launch: each granule once, whatever instruction, trip or
// block touches it. Interval arithmetic as in footprint.h, with the blocks of the grid as further loops:
// sites that move alike start from their joint intervals, the smallest stride goes first, and what the sites
// cover in the end is laid over each other.
//
// At most the bytes between the first and the last one. Exact where that, or footprint.h, is; where jumps of
// sites that move differently overlap, at most their sum. Ignored: lanes that take part in some blocks only
// (those of the first block count for all).
#pragma once

#include <vector>

#include "model/memory/traffic.h"

namespace gpumodel {

// Of one array.
[[nodiscard]] double distinct_bytes(const std::vector<const AnalysedSite*>& sites, int granule_bytes);

}  // namespace gpumodel
