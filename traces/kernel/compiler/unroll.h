// What the compiler decides: how often the k loop of a tile is unrolled and how many global loads of a
// tile are in flight at once. Imitates nvcc/ptxas 11.8 for sm_35 to sm_86 and 13.0 for sm_90, read off the
// listings of validate/kernels (some 490 per target); they agree with what docs/compiled_code.md says of
// about 130 published kernels.
#pragma once

#include "traces/kernel/compiler/code_shape.h"
#include "traces/kernel/family.h"

namespace gpumodel {

// Generations without a back end of their own count as the nearest one: before cc 5.0 kepler, 5.x and 6.x
// volta (not studied), 7.5 and 8.9 ampere (from code size), 10.0 and later hopper.
[[nodiscard]] CodeGeneration code_generation(const Target& target);

// The generation whose listings the imitation of the compiler rests on where the target has none, as 90 for
// sm_90: the nearest one that is not newer, Volta for 5.x and 6.x, Kepler before; the target's own where it
// has listings.
[[nodiscard]] int listings_generation(const Target& target);

struct UnrollQuestion {
    int products = 0;        // R*S per k step
    int bk = 0;              // trips of the k loop
    bool sub_loops = false;  // sub-tile loops around the k loop
    CodeShape shape = CodeShape::warp_tile;
    int row_words = 0, column_words = 0;  // of one sub-tile: R and S
    bool shifted_rows = false;            // of lanes, in a tile that computes its addresses from the counter
    int pinned = 0;                       // #pragma unroll: 0 = none, u >= bk = full
};

// k steps per loop body; bk means fully unrolled. A divisor of bk but for bodies of 5 steps, which leave one
// step over.
[[nodiscard]] int unrolled_steps(CodeGeneration generation, const UnrollQuestion& question);

// Copies of the k loop of one tile: sub-tiles of a thread one after another (rows x cols of them), or the
// turns of a split tile's halves (front even, front odd, back even, back odd tile).
struct LoopCopies {
    int rows = 1, cols = 1;
    int threads = 0;
    bool square = false;        // the block's tile
    bool single_words = false;  // of A
};

// k steps per body of copy `index`, where copies differ from unrolled_steps(); and whether its addresses go
// on by a constant.
struct CopySteps {
    int steps = 1;
    bool steps_addresses = false;
};
[[nodiscard]] CopySteps copy_steps(CodeGeneration generation, const UnrollQuestion& question,
                                   const LoopCopies& copies, int index);

// True if the sub-tile loops are unrolled together with k, so that sub-tiles share their fragments.
[[nodiscard]] bool merges_sub_tiles(CodeGeneration generation, const UnrollQuestion& question);

// True if the sub-tile loops stay loops, rows x cols of them: accumulators are indexed at run time and live
// in local memory. Before sm_90 only where all their products together are many.
[[nodiscard]] bool spills_accumulators(CodeGeneration generation, int rows, int cols,
                                       const UnrollQuestion& question);

// What becomes of rows x cols sub-tile loops then. Fragments that do not change in a loop are read before
// it, so a row of sub-tiles reads its words of A once; the words of B are read once, too, unless both
// loops stay or the rows are unrolled around column loops.
struct SpilledLoops {
    bool b_once = false;
    // Both loops stay: the accumulators of a sub-tile are stored after every k step, else once.
    bool stores_every_step = false;
};
[[nodiscard]] SpilledLoops spilled_loops(int rows, int cols, const UnrollQuestion& question);

// Of a thread's `loads` global loads of a tile, those that are out before the first one is stored: all where
// they are few. sm_90: all of up to six in 135 of 150 listings, else four to six.
[[nodiscard]] int load_window(CodeGeneration generation, int accumulators, int threads, int loads);

}  // namespace gpumodel
