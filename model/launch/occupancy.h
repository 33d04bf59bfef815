// Theoretical occupancy, as NVIDIA's cuda_occupancy.h computes it (CUDA 13.0 for cc >= 3.x, CUDA 7.0
// for cc 1.x/2.x):
//   blocks = min(warp, register, shared-memory, block-slot, barrier limits).
// Exact; no estimate enters.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "arch_specs/arch_spec.h"

namespace gpumodel {

struct OccupancyRequest {
    int threads_per_block = 0;
    int registers_per_thread = 0;
    std::int64_t shared_bytes_per_block = 0;  // static + dynamic, without the reserved bytes
    int barriers_per_block = 1;
    // cudaFuncAttributePreferredSharedMemoryCarveout as 0..100 %; empty = default (largest option)
    std::optional<int> carveout_percent;
    bool allow_optin_shared = true;  // dynamic shared memory above the static limit
};

enum class OccupancyLimiter : unsigned char {
    warps,
    registers,
    shared_memory,
    blocks,
    barriers,
    launch_fails
};
[[nodiscard]] std::string_view to_string(OccupancyLimiter limiter);

struct Occupancy {
    int blocks_per_sm = 0;
    int warps_per_block = 0;
    int active_warps = 0;
    double occupancy = 0;                    // active_warps / max_warps
    std::vector<OccupancyLimiter> limiters;  // all resources whose limit equals blocks_per_sm
    std::string infeasible_reason;           // set when blocks_per_sm is 0: which limit, asked and allowed

    // Limits in blocks per SM; empty = the resource is not used or does not limit.
    int limit_warps = 0;
    std::optional<int> limit_registers;
    std::optional<int> limit_shared_memory;
    int limit_blocks = 0;
    std::optional<int> limit_barriers;

    // Rounding, asked against allocated.
    int registers_asked_per_thread = 0;
    int registers_allocated_per_warp = 0;  // per block on cc 1.x
    std::int64_t registers_allocated_per_block = 0;
    std::int64_t shared_asked_bytes = 0;
    std::int64_t shared_allocated_bytes = 0;  // with reserved bytes, rounded up to the unit
    std::int64_t carveout_bytes = 0;

    // Next steps: what gains one more block (empty: cannot).
    std::optional<int> registers_fewer_for_next_block;
    std::optional<std::int64_t> shared_bytes_fewer_for_next_block;
    std::optional<int> threads_fewer_for_next_block;
};

[[nodiscard]] Occupancy compute_occupancy(const ArchSpec& arch, const OccupancyRequest& request);

// A cliff: the largest value of one resource that still keeps this many blocks and warps.
struct OccupancyStep {
    std::int64_t up_to = 0;  // registers per thread, shared bytes, or threads per block
    int blocks_per_sm = 0;
    int active_warps = 0;
    double occupancy = 0;
};
enum class OccupancyAxis : unsigned char { registers, shared_memory, threads };

// Varies one resource over its whole legal range, the others as in `request`; one step per change of
// blocks_per_sm or active_warps, ascending, so that a step's figures hold for all of its values. For
// threads the value runs over multiples of the warp size.
[[nodiscard]] std::vector<OccupancyStep> occupancy_cliffs(const ArchSpec& arch,
                                                          const OccupancyRequest& request,
                                                          OccupancyAxis axis);

}  // namespace gpumodel
