// Executed paths -> KernelProgram at instruction level: loops with trip counts, sites with address functions.
//
// Paths fold into loops by executed iterations (loop_folder.h), warps with equal paths into segments of
// contiguous threads, blocks with equal paths and affine addresses into boxes (grid_fold.h); every box is a
// variant of the program. Of a grid too large to be run whole a few blocks are, and the rest is taken to
// follow them; where these show no regularity, the grid is looked at with other sides, and the program's grid
// has these then (KernelProgram::launched_grid keeps the launch's); where that does not help, blocks of the
// same path and lanes are represented by the addresses of one of them, and where even the paths differ
// everywhere, some blocks spread over the grid stand for all. The program's notes say so. Warps that pass the
// same sequence of block-wide barriers share the intervals that end in them; a loop around a barrier is
// shared if all of them have its trips.
//
// From the code: ops, mnemonics, the dependency shape (dependency_shape.h), flops (executed FP32 instructions
// times active lanes, two for a fused one; guards not evaluated). effective_bytes: per array and direction
// the smaller of the bytes between its lowest and highest access and the bytes accessed.
//
// Left out: m, n, k and the roles of sites (what the words mean is not known); barriers other than one for
// the whole block are taken for one, so are waits for a phase of a barrier in shared memory; ARV (arrive
// without waiting) is no barrier.
#pragma once

#include "traces/kernel_program.h"
#include "traces/warp_events.h"

namespace gpumodel {

struct FoldOptions {
    // The whole grid is run if that takes no more than this, estimated by the first block, in units of about
    // an instruction (folded_block.h): about half a second; up front if it takes an eighth, else if a
    // few blocks show no regularity. Every block is exact then, whatever they have in common.
    std::int64_t whole_grid_work = 24'000'000;
    // Beyond so many executed accesses (and a few blocks) a search by single blocks is given up.
    std::int64_t access_budget = 16'000'000;
    std::size_t max_variants = 4096;
    std::size_t max_sampled_variants = 64;       // of a search by single blocks
    std::int64_t max_weight = 600'000;           // instructions, and ten for an access, of all variants
    std::int64_t max_strata_weight = 1'200'000;  // the same where strata stand for all: few long blocks
    // Given data decide paths or addresses: no block says what another does. All are executed if that is
    // affordable by some samples' mean, else some spread over the grid stand for all.
    bool data_decides = false;
};

// Throws what the source throws, and InputError (invalid input) for a warp whose path is too irregular or a
// launch without blocks or threads.
[[nodiscard]] KernelProgram fold_program(BlockSource& source, const LaunchContext& launch,
                                         const FoldOptions& options = {});

}  // namespace gpumodel
