// Words that a segment loads to store them elsewhere: tiles, copies, results; and how many of the loads go
// out before the first one is waited for.
#pragma once

#include <vector>

#include "traces/kernel_program.h"

namespace gpumodel {

// One access of a site that moves data.
struct Access {
    int site = 0;
    int word = 0;  // first word, of the site
};

struct TransferPlan {
    std::vector<Access> loads, stores;
    std::vector<int> first_store;  // stores[first_store[i] ... first_store[i+1]) follow load i
    int window = 1;                // loads in flight
    bool stores_here = false;      // else the words stay in registers for another segment
    int vector_words = 1;          // widest load

    [[nodiscard]] int scratch_words() const { return stores_here ? window * vector_words : vector_words; }
};

// Loads that are not fragments of a product, and stores, in the order of their words.
[[nodiscard]] TransferPlan plan_transfers(const Segment& segment);

// Words with one key belong together: what a load with it brings, a store with it writes.
[[nodiscard]] int transfer_key(const AccessSite& site);

// Of a tile, with a window of its own. (That of products is of fragments; beside them stand spilled results.)
[[nodiscard]] bool is_tile_load(const Segment& segment);

[[nodiscard]] bool is_fragment(const AccessSite& site);

}  // namespace gpumodel
