// Overhead (instruction_mix.h) of the kernels with one result per thread, the copies and the transposes: read
// off listings of our own kernels at the families' defaults (CUDA 11.8; 13.0 for sm_90) and written as what
// an access, a k step and a loop body need, so that other unroll factors follow.
#pragma once

#include "traces/kernel/compiler/instruction_mix.h"

namespace gpumodel {

// naive and coalesced.
[[nodiscard]] OpCounts direct_prologue(CodeGeneration generation);
[[nodiscard]] OpCounts direct_step(CodeGeneration generation);  // per k step: two pointers
[[nodiscard]] OpCounts direct_body(CodeGeneration generation);  // per body, with its branch
[[nodiscard]] OpCounts direct_epilogue(CodeGeneration generation);

// The guides' one-tile products.
struct GuideCode {
    bool a_shared = false;         // a tile of A in shared memory
    bool second_shared = false;    // the second operand's tile, too
    bool second_is_b_row = false;  // words of B straight from global memory: an address each
    bool transposed = false;       // the second tile is stored transposed
    bool rolled = false;           // a k loop is left
    int unrolled_steps = 1;
};
[[nodiscard]] OpCounts guide_prologue(CodeGeneration generation, const GuideCode& code);
[[nodiscard]] OpCounts guide_step(CodeGeneration generation, const GuideCode& code);
[[nodiscard]] OpCounts guide_body(CodeGeneration generation, const GuideCode& code);
[[nodiscard]] OpCounts guide_epilogue(const GuideCode& code);

[[nodiscard]] OpCounts copy_overhead(CodeGeneration generation);

// Before and after the barrier of the tiled transposes; both together without shared memory.
[[nodiscard]] OpCounts transpose_load_overhead(CodeGeneration generation, bool tiled);
[[nodiscard]] OpCounts transpose_store_overhead(CodeGeneration generation, bool tiled);

}  // namespace gpumodel
