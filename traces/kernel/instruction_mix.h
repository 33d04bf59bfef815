// How many instructions the compiler puts around the memory accesses and the products: addresses,
// moves, loop control. Counts are warp instructions per executing warp. Estimates: totals from
// study of compiled listings (sm_90: mean error of a whole kernel's count 1.4 %) and, where those do
// not reach, from cuobjdump listings (nvcc 11.8) of the same families written out in CUDA; the split
// into classes is coarser than the totals. Barriers, branches and memory accesses are counted exactly.
#pragma once

#include "traces/kernel/unroll.h"
#include "traces/kernel_program.h"

namespace gpumodel {

[[nodiscard]] inline double& count_of(OpCounts& ops, OpClass c) {
    return ops[static_cast<std::size_t>(c)];
}
[[nodiscard]] inline double count_of(const OpCounts& ops, OpClass c) {
    return ops[static_cast<std::size_t>(c)];
}
void add(OpCounts& to, const OpCounts& ops, double times = 1);

// The code shape of a tile's load phase.
enum class LoadStyle : unsigned char {
    one_word,     // one word of A and of B per thread (smem, blocktile1d)
    scalar_rows,  // words in row steps (blocktile2d)
    one_vector,   // one 16-byte load of A and of B per thread (vectorized)
    vector_rows,  // 16-byte loads in row steps (autotuned, warptile)
    scheduled,    // hand-scheduled library code: pointers advanced once per tile
};

struct TileCode {
    CodeGeneration generation = CodeGeneration::volta;
    LoadStyle style = LoadStyle::vector_rows;
    int loads = 0;         // global loads per thread and tile
    int accumulators = 0;  // per thread, all sub-tiles
    int threads = 0;
    bool rolled = false;     // a k loop is left
    int unrolled_steps = 1;  // k steps per body of it
    bool double_buffered = false;
};

// Per tile, outside the k loop: everything but memory accesses, products, barriers and branches.
[[nodiscard]] OpCounts tile_overhead(const TileCode& code);

// Per trip of the k loop, its branch included. Zero for scheduled code, whose trips are unrolled.
[[nodiscard]] OpCounts k_loop_overhead(const TileCode& code);

// Before the tile loop: index arithmetic and zeroing of the accumulators in pairs.
[[nodiscard]] OpCounts prologue_overhead(int accumulators, CodeGeneration generation);

struct EpilogueCode {
    int words = 0;           // results per thread
    int vector_words = 1;    // per access
    int address_groups = 0;  // vectors that need an address of their own: rows of TM times vectors of TN
    bool c_is_read = true;
};

// After it: scaling (FMUL and FFMA per word if C is read), addresses, EXIT.
[[nodiscard]] OpCounts epilogue_arithmetic(const EpilogueCode& code);

}  // namespace gpumodel
