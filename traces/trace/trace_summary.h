// What a program executes, in figures: for `gpumodel trace info`.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "traces/kernel_program.h"

namespace gpumodel {

// A site of the representative body.
struct SiteSummary {
    std::string segment, name, array;
    MemorySpace space = MemorySpace::global;
    AccessKind kind = AccessKind::load;
    int bytes_per_lane = 0;
    double per_block = 0;  // warp instructions of one block, guards not counted
};

struct TraceSummary {
    double warp_instructions = 0;                       // of the launch
    OpCounts by_class{};                                // the same, by class
    std::size_t bodies = 0;                             // different ones among the blocks
    std::size_t segments = 0, static_instructions = 0;  // of all bodies
    int loop_depth = 0;
    std::vector<SiteSummary> sites;
};

// Doubles: products of trip counts can exceed any integer. Programs without instructions count by
// Segment::ops.
[[nodiscard]] TraceSummary summarize(const KernelProgram& program);

}  // namespace gpumodel
