// The single limits behind theoretical occupancy: how many blocks one SM can hold as far as one
// resource goes. Equations: cuda_occupancy.h of CUDA 13.0 (cc >= 3.x) and CUDA 7.0 (cc 1.x and 2.x),
// restated. All functions are pure, and expect a request that
// check_request (occupancy_reason.h) finds sound.
#pragma once

#include <cstdint>
#include <optional>

#include "arch_specs/arch_spec.h"
#include "model/launch/occupancy.h"

namespace gpumodel {

// Warps of one block: threads / warp size, rounded up.
[[nodiscard]] int warps_of_block(const Sm& sm, int threads_per_block);

// 0 for a block of more threads than max_threads_per_block.
[[nodiscard]] int warp_limit(const Sm& sm, int threads_per_block);

struct RegisterLimit {
    std::optional<int> blocks;            // empty: the kernel uses no registers
    std::int64_t allocated_per_unit = 0;  // registers per warp, or per block on cc 1.x
    std::int64_t allocated_per_block = 0;
    // What the launch check compares with max_per_block: cc >= 2.x assumes that every sub-partition
    // gets the same number of the block's warps.
    std::int64_t assumed_per_block = 0;
};
[[nodiscard]] RegisterLimit register_limit(const Sm& sm, int threads_per_block, int registers_per_thread);

struct SharedLimit {
    std::optional<int> blocks;         // empty: nothing is allocated
    std::int64_t allocated_bytes = 0;  // per block: asked + reserved, rounded up to the unit
    std::int64_t allowed_bytes = 0;    // what one block may allocate, reserved bytes included
    std::int64_t carveout_bytes = 0;   // per SM
};
[[nodiscard]] SharedLimit shared_limit(const ArchSpec& arch, const OccupancyRequest& request);

// Empty: no such limit, none used, or every block slot has its barriers anyway.
[[nodiscard]] std::optional<int> barrier_limit(const Sm& sm, int barriers_per_block);

// The minimum over all limits: Occupancy::blocks_per_sm alone, for searches.
[[nodiscard]] int resident_blocks(const ArchSpec& arch, const OccupancyRequest& request);

}  // namespace gpumodel
