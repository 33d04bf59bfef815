// The products of one tile as nodes: the k loop in its sub-tile loops, steps that its unrolling leaves over,
// and the way of the accumulators through local memory where the compiler keeps them there.
#pragma once

#include <vector>

#include "traces/kernel/tiling/tiled_gemm.h"

namespace gpumodel {

[[nodiscard]] inline LoopRef counter(int depth, std::int64_t offset = 0, std::int64_t scale = 1) {
    return {depth, scale, offset};
}
[[nodiscard]] inline LoopRef fixed(std::int64_t value) {
    return {-1, 1, value};
}

// Half of the block, or all of it, in one k step.
struct Worker {
    ThreadRange range;
    LoopRef tile;
};

// `depth`: how many loops enclose `body`.
void append_products(std::vector<Node>& body, const GemmPtr& g, int depth,
                     const std::vector<Worker>& workers);

// All accumulators from local memory, or to it `times` times; nothing where they are in registers.
void append_local_memory(std::vector<Node>& body, const GemmPtr& g, AccessKind kind, int times);

}  // namespace gpumodel
