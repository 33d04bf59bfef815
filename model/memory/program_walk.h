// The nodes of a KernelProgram as a flat list of barrier intervals with their loop context. Every
// analysis walks this instead of recursing for itself.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "traces/kernel_program.h"

namespace gpumodel {

// Warps that execute a segment.
[[nodiscard]] inline int warps_of(const Segment& segment) {
    return (segment.thread_end - segment.thread_begin + 31) / 32;
}

struct LoopContext {
    int depth = 0;                                     // number of enclosing loops
    std::array<std::int64_t, max_loop_depth> trips{};  // of each enclosing loop, outermost first
    double total_trips = 1;                            // their product: executions per block
};

struct FlatInterval {
    const Interval* interval = nullptr;
    LoopContext loops;
    BlockBox box;            // the blocks that run it
    Dim3 executed{0, 0, 0};  // the one of them whose addresses are exact where it stands for others
};

// Nodes and the blocks that run them: the variants of a program, or its one body for the whole grid.
struct BlockBody {
    const std::vector<Node>* nodes = nullptr;
    BlockBox box;
    Dim3 executed{0, 0, 0};
};
[[nodiscard]] std::vector<BlockBody> block_bodies(const KernelProgram& program);

struct FlatProgram {
    std::vector<FlatInterval> intervals;  // in program order
};

// Pointers refer to `program`, which must outlive the result. Loops with no trips are left out; variants
// follow each other.
[[nodiscard]] FlatProgram flatten(const KernelProgram& program);

}  // namespace gpumodel
