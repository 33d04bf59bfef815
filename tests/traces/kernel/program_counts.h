// Sums over a program, by walking its nodes: what one pass over some nodes executes per warp.
#pragma once

#include <vector>

#include "traces/kernel_program.h"

namespace gpumodel::test {

struct Counts {
    OpCounts ops{};
    // Shared accesses per warp by width in words (1, 2, 4), from the sites.
    std::array<double, 5> shared_loads{}, shared_stores{};
    double product_ffma = 0;  // r*s*steps of the segments

    [[nodiscard]] double of(OpClass c) const { return ops[static_cast<std::size_t>(c)]; }
};

// One pass over `nodes`, loops multiplied by their trips. Segments of disjoint thread ranges are averaged
// over `threads`.
[[nodiscard]] Counts count_nodes(const std::vector<Node>& nodes, int threads);

// The first outermost loop, nullptr if there is none.
[[nodiscard]] const Loop* first_loop(const KernelProgram& program);

}  // namespace gpumodel::test
