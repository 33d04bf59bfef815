// How many instructions the compiler puts around the memory accesses and the products: addresses,
// moves, loop control. Counts are warp instructions per executing warp, whole numbers by region of the code.
// Memory accesses, products, FMULs and barriers are not in them: those are counted exactly, elsewhere.
//
// All numbers come from compiler_tables.h. `library` has no listings and is estimated.
#pragma once

#include "traces/kernel/compiler/compiler_tables.h"
#include "traces/kernel/compiler/kernel_code.h"
#include "traces/kernel_program.h"

namespace gpumodel {

[[nodiscard]] inline double& count_of(OpCounts& ops, OpClass c) {
    return ops[static_cast<std::size_t>(c)];
}
[[nodiscard]] inline double count_of(const OpCounts& ops, OpClass c) {
    return ops[static_cast<std::size_t>(c)];
}
void add(OpCounts& to, const OpCounts& ops, double times = 1);

// Which of a shape's rows decides for a code: the first that fits; the first of all where none is for its
// kind of body (a pinned body in a family that was only listed unrolled). `rules` must not be empty.
[[nodiscard]] std::size_t deciding_rule(const std::vector<OverheadRule>& rules, const KernelCode& code);

// (1, x, y) of OverheadRule.
[[nodiscard]] std::array<double, 3> overhead_inputs(CodeRegion region, const KernelCode& code);

// Per tile outside the k loop, with the branch that closes the tile loop.
[[nodiscard]] OpCounts tile_overhead(const KernelCode& code);

// Per body of the k loop, with the branch that closes it. Zero if the loop is unrolled in full.
[[nodiscard]] OpCounts step_body_overhead(const KernelCode& code);

// Before the tile loop: index arithmetic and zeroing of the accumulators; for `prefetch` and `async` also the
// addresses of the first tile.
[[nodiscard]] OpCounts prologue_overhead(const KernelCode& code);

// After it: addresses, EXIT.
[[nodiscard]] OpCounts epilogue_overhead(const KernelCode& code);

// The rows of overhead_counts.csv whose traits are all there, added up: kernels that are too small for a fit.
[[nodiscard]] OpCounts counted_overhead(CodeGeneration generation, CodeShape shape, CodeRegion region,
                                        const CodeTraits& traits = {}, int accumulators = 0);

// A copy without its last branch, which `take_branch` returns as counts of their own: the branch that closes
// a loop stands in the last segment of its body.
struct SplitBranch {
    OpCounts rest{};
    OpCounts branch{};
};
[[nodiscard]] SplitBranch split_branch(const OpCounts& ops);

}  // namespace gpumodel
