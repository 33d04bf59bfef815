// The slice of L2 that has most to do for a few lines: counters, flags, bins and heads of lists that many
// want.
//
// Atomics take what costs/atomic_costs.h says, reads past L1 and stores what costs/hot_line_costs.h does.
// Which lines lie in one slice: of eight in a row two slices have every other two (h200_sxm_hot_words.csv:
// of words a line apart 2, 4, 8, 16, 32 keep 0.9, 1.7, 1.9, 3.6, 7.6 slices at work). Small arrays that
// were allocated one after the other share such eights, where their addresses are known (ArrayUse::address:
// recordings); else each is taken to lie apart.
//
// The executed block of each box and its first trip stand for what it stands for. What data decide says
// something where it was named often: a share that chance has made large is taken a standard deviation
// smaller. Reads and stores say something of other blocks where all name the same, or data decide, many
// were executed and most name it.
//
// Ignored: what the way to a slice holds up behind it; reads that L1 does not have.
#pragma once

#include <optional>
#include <vector>

#include "model/memory/traffic.h"

namespace gpumodel {

struct BusiestSlice {
    double cycles = 0;  // SM cycles, with its even part of what lies elsewhere; 0: none is known to be busier
    double own = 0;     // of its lines
    HotSlice slice;
};
// `others`: what each slice does besides what goes to few lines. `arrays`: the program's.
[[nodiscard]] BusiestSlice busiest_slice(const std::vector<AnalysedSite>& sites,
                                         const std::vector<ArrayUse>& arrays, bool data_decides,
                                         double others);

// If it has more to do than its even part of all atomics.
[[nodiscard]] std::optional<HotSlice> find_hot_slice(const std::vector<AnalysedSite>& sites,
                                                     bool data_decides,
                                                     const std::vector<ArrayUse>& arrays = {});

[[nodiscard]] bool is_global_atomic(const AnalysedSite& site);
// Of all global atomics, in all slices.
[[nodiscard]] double atomic_slice_cycles(const std::vector<AnalysedSite>& sites);

}  // namespace gpumodel
