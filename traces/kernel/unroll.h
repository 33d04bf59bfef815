// What the compiler decides: how often the k loop of a tile is unrolled and how many global loads of a
// tile are in flight at once. Imitates nvcc/ptxas 11.8 for sm_35, sm_70, sm_86 and sm_90: the rules of
// study of compiled listings (about 130 instances of published kernels), changed where listings of our
// own kernels (validate/kernels, 45 instances per target) differ: 2048 products of a tile are no longer
// unrolled in full, 64-deep vectorized bodies on sm_90 are, and bodies with a branch keep 4 steps at 64
// products. Not imitated: loops of 5 steps with a peeled rest.
#pragma once

#include "traces/kernel/family.h"

namespace gpumodel {

// Compiler back ends that generate alike. Other generations count as the nearest one: before cc 5.0
// kepler, 5.x and 6.x volta (not studied), 7.5 and 8.9 ampere (from code size), 10.0 and later hopper.
enum class CodeGeneration : unsigned char { kepler, volta, ampere, hopper };
[[nodiscard]] CodeGeneration code_generation(const Target& target);

struct UnrollQuestion {
    int products = 0;           // R*S per k step
    int bk = 0;                 // trips of the k loop
    bool sub_loops = false;     // sub-tile loops around the k loop
    bool branchy_tile = false;  // the body of the tile loop holds a branch or another loop
    bool single_load = false;   // one load of A and of B per thread and tile, no load loops
    bool scalar_rows = false;   // single words loaded in row steps (blocktile2d)
    int pinned = 0;             // #pragma unroll: 0 = none, u >= bk = full
};

// k steps per loop body; bk means fully unrolled. Always a divisor of bk.
[[nodiscard]] int unrolled_steps(CodeGeneration generation, const UnrollQuestion& question);

// True if the sub-tile loops are unrolled together with k, so that sub-tiles share their fragments.
[[nodiscard]] bool merges_sub_tiles(CodeGeneration generation, const UnrollQuestion& question);

// True if the sub-tile loops stay loops: accumulators are indexed at run time and live in local memory.
[[nodiscard]] bool spills_accumulators(CodeGeneration generation, const UnrollQuestion& question);

// Global loads of a tile that are out before the first result is waited for (section 4).
[[nodiscard]] int load_window(CodeGeneration generation, int accumulators, int threads);

}  // namespace gpumodel
