// Copies of a tensor's tile (UTMALDG, UTMASTG): as bulk copies (bulk_operations.h), of the box of a tensor
// map (tensor_map.h) at coordinates. What lies outside of the tensor is zero, and is not written.
//
// Sources: 0, 1 the map's address; 2 the tile's in shared memory; 3 the barrier's; 4 ... the coordinates,
// innermost first; of a multicast 9 the ranks of the cluster's blocks that the tile goes to, at the same
// place in each and with its bytes to the same barrier in each: all uniform registers. `immediate` names the
// Access, `option` is the number of dimensions, with tile_multicast.
#pragma once

#include "traces/emulate/run/machine.h"

namespace gpumodel::emulate {

inline constexpr int most_tile_dimensions = 5;
inline constexpr std::uint32_t tile_multicast = 0x100;
inline constexpr std::size_t multicast_ranks = 9;

// Reports the copy as its first access: 32 lanes of 16 bytes each. The others follow it (Instruction).
void report_tile(Warp& warp, const MicroOp& op, std::uint32_t mask);
void tile_to_shared(Warp& warp, const MicroOp& op, std::uint32_t mask);
void tile_to_global(Warp& warp, const MicroOp& op, std::uint32_t mask);
// The bytes have come to the barrier, those outside of the tensor too.
void tile_arrives(Warp& warp, const MicroOp& op, std::uint32_t mask);

}  // namespace gpumodel::emulate
