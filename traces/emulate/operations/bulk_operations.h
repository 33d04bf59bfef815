// Bulk copies (UBLKCP, UBLKRED): one instruction of a warp moves 16 bytes or thousands of them, and a barrier
// in shared memory (mbarrier.h) or the warp's group of copies says when they are there. Here they are there
// at once.
//
// Sources: 0, 1 the global address; 2 the shared one; 3 the barrier's; 6 the size in units of 16 bytes: all
// uniform registers. `immediate` names the Access.
#pragma once

#include <cstdint>

#include "traces/emulate/run/block_state.h"

namespace gpumodel::emulate {

inline constexpr std::int64_t bulk_unit_bytes = 16;  // of the size, and of a lane's part of a copy

// One size per instruction: it is counted with that. Throws InputError (invalid input) for a second one.
void remember_copy(Warp& warp, const Access& access, const CountedCopy& copy);

// Reports the copy as its first access: 32 lanes of 16 bytes each. The others follow it (Instruction).
void report_bulk(Warp& warp, const MicroOp& op, std::uint32_t mask);

// The data, one way or the other. A reduction adds 32-bit integers if `option` is bulk_adds; what others
// leave is not known.
inline constexpr std::uint32_t bulk_moves = 0, bulk_adds = 1, bulk_not_emulated = 2;
void bulk_to_shared(Warp& warp, const MicroOp& op, std::uint32_t mask);
void bulk_to_global(Warp& warp, const MicroOp& op, std::uint32_t mask);

// So many bytes of a copy, the block's own or another's of its cluster, have come to its barrier at this
// offset.
void bytes_come(BlockState& block, bool own, std::uint32_t place, std::int64_t bytes);
void bulk_arrives(Warp& warp, const MicroOp& op, std::uint32_t mask);

}  // namespace gpumodel::emulate
