// What a launch executes and accesses, summed over its blocks: the part of the counters that follows from the
// program and its addresses alone, the same for both models.
#pragma once

#include <array>
#include <vector>

#include "model/memory/traffic.h"

namespace gpumodel {

// Accesses of one space and kind, local memory apart.
struct AccessTotals {
    double requests = 0;  // with at least one active lane
    double sectors = 0, wavefronts = 0, conflicts = 0;
    double lane_bytes = 0;  // into or out of registers, as of 32 lanes: what lanes share counts for each
};

struct LaunchCounts {
    // Executed warp instructions; memory instructions that a predicate turns off count with the others
    // (measured).
    double instructions = 0;
    double global_loads = 0, global_stores = 0, shared_loads = 0, shared_stores = 0;
    double shared_barriers = 0;  // operations on barriers in shared memory; part of `instructions`
    std::array<double, op_class_count> thread_instructions{};  // of lanes whose predicate is on, by class
    AccessTotals global_load, global_store, shared_load, shared_store;
    AccessTotals copies;  // asynchronous, global -> shared: the global side
    // A store looks into L1 like a load: it hits in what the block has read, and in sectors that the block
    // has stored to before (measured: copies that write every sector once have no hits).
    double store_lookups = 0, store_hits = 0;  // sectors
};

[[nodiscard]] LaunchCounts count_launch(const FlatProgram& flat, const std::vector<AnalysedSite>& sites,
                                        const ArchSpec& arch);

}  // namespace gpumodel
