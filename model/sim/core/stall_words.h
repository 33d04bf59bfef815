// The profiler's words for what a warp waits for, where the hardware's unit is not the word's.
//
// Contract: pure functions of a decoded instruction. Measured with kernels of one known reason each
// (validate/data/h200_sxm_stalls.csv, in the profiler's words of CUDA 13).
#pragma once

#include <cstdint>

#include "model/sim/core/decode_op.h"

namespace gpumodel::sim {

// What a profiler counts a taken branch's cycles as: `wait` for its stall count, then so many
// branch_resolving, then no_instruction until its target is there. Kernels of
// validate/data/h200_sxm_stalls.csv: 2.96 and 3.0 cycles of branch_resolving per branch of `branches` and
// `ffma_wide`, 3.8 and 5.1 of `wait` for stall counts of 5 and 6.
inline constexpr Cycle resolving_cycles = 3;

inline bool is_queued(const DecodedOp& op) {
    return uses_data_pipe(op.kind) && !op.bulk;
}

// What an exiting warp waits for to leave the memory queue: stores, and atomics without results.
inline bool is_store(const DecodedOp& op) {
    return is_queued(op) && (op.no_data || !has_result(op.kind));
}

// The word for a queue or pipe that has no room. Special functions and reads of special registers go through
// the memory queue (kernels `mufu_wide` and `mufu_chain` of validate/data/h200_sxm_stalls.csv).
inline StallReason throttle_of(const DecodedOp& op) {
    if (is_queued(op)) {
        return is_global(op.kind) ? StallReason::lg_throttle : StallReason::mio_throttle;
    }
    return op.pipe == static_cast<std::uint8_t>(Pipe::xu) ? StallReason::mio_throttle
                                                          : StallReason::math_pipe_throttle;
}

}  // namespace gpumodel::sim
