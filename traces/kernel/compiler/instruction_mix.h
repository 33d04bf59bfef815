// How many instructions the compiler puts around the memory accesses and the products: addresses,
// moves, loop control. Counts are warp instructions per executing warp, whole numbers by region of the code.
// Memory accesses, products, FMULs and barriers are not in them: those are counted exactly, elsewhere.
//
// All numbers come from compiler_tables.h. `library` has no listings and is estimated.
#pragma once

#include "traces/kernel/compiler/compiler_tables.h"
#include "traces/kernel_program.h"

namespace gpumodel {

[[nodiscard]] inline double& count_of(OpCounts& ops, OpClass c) {
    return ops[static_cast<std::size_t>(c)];
}
[[nodiscard]] inline double count_of(const OpCounts& ops, OpClass c) {
    return ops[static_cast<std::size_t>(c)];
}
void add(OpCounts& to, const OpCounts& ops, double times = 1);

// What the rules ask about a tiled kernel.
struct TileCode {
    CodeGeneration generation = CodeGeneration::volta;
    CodeShape shape = CodeShape::warp_tile;
    int loads = 0;         // global loads or asynchronous copies per thread and tile
    int accumulators = 0;  // per thread, all sub-tiles
    int row_words = 0;     // words of A per thread and step
    int column_words = 0;  // words of B
    int outer_tiles = 1;   // trips of all sub-tile loops around the k loop
    int threads = 0;
    int depth = 1;           // k steps per tile
    int unrolled_steps = 1;  // k steps per body
    int pinned_steps = 0;    // the same by a pragma; 0 = none
    bool rolled = false;     // a k loop is left
};

// Per tile outside the k loop, with the branch that closes the tile loop.
[[nodiscard]] OpCounts tile_overhead(const TileCode& code);

// Per body of the k loop, with the branch that closes it. Zero if the loop is unrolled in full.
[[nodiscard]] OpCounts step_body_overhead(const TileCode& code);

// Before the tile loop: index arithmetic and zeroing of the accumulators; for `prefetch` and `async` also the
// addresses of the first tile.
[[nodiscard]] OpCounts prologue_overhead(const TileCode& code);

// After it: addresses, EXIT.
[[nodiscard]] OpCounts epilogue_overhead(const TileCode& code);

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
