// Handlers that open, save and leave convergence points of diverged lanes. `option` is the B register (Volta
// and later) or the kind of meeting (Kepler), `immediate` the code block at which the lanes go on together.
#pragma once

#include "traces/emulate/run/machine.h"

namespace gpumodel::emulate {

inline constexpr std::uint32_t clears_barrier = 0x100;  // in `option` of save_barrier

void open_barrier(Warp& warp, const MicroOp& op, std::uint32_t mask);     // BSSY
void save_barrier(Warp& warp, const MicroOp& op, std::uint32_t mask);     // BMOV R0, B0
void restore_barrier(Warp& warp, const MicroOp& op, std::uint32_t mask);  // BMOV B0, R0
void leave_barrier(Warp& warp, const MicroOp& op, std::uint32_t mask);    // BREAK
void push_meeting(Warp& warp, const MicroOp& op, std::uint32_t mask);     // SSY, PBK, PCNT

}  // namespace gpumodel::emulate
