// What compare-and-swaps lose to each other that are tried again until they hold (AccessSite::retried).
//
// Where all blocks run side by side they lose them there (traces/emulate/run/other_blocks.h). Else, without
// data or where swaps lose very often, blocks are executed alone, and theirs hold at once. On the GPU, of
// those that want a word at the same time one holds, and the others come again with what that has left:
//   under way  the swaps of resident threads, less those whose warp waits for its last lane
//   others     (under way - 1) * share,   share = how probable it is that two swaps are of one word
//   tries      1 + others * (1 - under way / (2 * all)): half of the others come first if all begin at once
//   queue      all * (tries - 1) passes of the L2's slices
//   chain      swaps of the busiest word, one after the other, each a way to L2 and back; how many: where
//              executed blocks name it often, their share, else what chance has (the largest of Poisson
//              numbers)
// The launch takes the longer of the two more. The share is taken from executed blocks: from those that are
// not of one block where there are several, as blocks may have words of their own.
//
// Ignored: that swaps are not under way all of a thread's time, words that threads want again and again one
// after the other, and loops in shared memory.
#pragma once

#include <vector>

#include "model/launch/waves.h"
#include "model/memory/traffic.h"

namespace gpumodel {

struct SwapContention {
    double swaps = 0;         // of the launch
    double tries = 1;         // of each, on average
    double queue_cycles = 0;  // SM cycles that the launch takes longer for each
    double chain_cycles = 0;
    [[nodiscard]] double cycles() const;
};

// Of the sites whose swaps are tried again, together; all zero without any.
[[nodiscard]] SwapContention swap_contention(const std::vector<AnalysedSite>& sites, const ArchSpec& arch,
                                             const Waves& waves);

}  // namespace gpumodel
