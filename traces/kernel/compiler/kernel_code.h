// What the compiler made of a kernel, as far as the tables ask (compiler_tables.h): decided once, when a
// family is lowered, and read by the overhead counts and by the register estimate alike.
#pragma once

#include "traces/kernel/compiler/code_shape.h"

namespace gpumodel {

struct KernelCode {
    CodeGeneration generation = CodeGeneration::volta;
    CodeShape shape = CodeShape::warp_tile;
    int threads = 0;                  // per block
    int accumulators = 0;             // results per thread, all sub-tiles
    int row_words = 0;                // words of A that a thread multiplies per k step
    int column_words = 0;             // words of B
    int outer_tiles = 1;              // trips of all sub-tile loops around the k loop
    int loads = 0;                    // global loads or asynchronous copies per thread and tile
    int staged_words = 0;             // global words that a thread loads per tile
    int depth = 1;                    // k steps per tile
    int unrolled_steps = 1;           // k steps per body
    int pinned_steps = 0;             // the same by a pragma; 0 = none
    bool rolled = false;              // a k loop is left
    bool single_words = false;        // A's words are read one by one, for want of proven alignment
    bool local_accumulators = false;  // sub-tile loops stay loops: accumulators are indexed at run time
};

}  // namespace gpumodel
