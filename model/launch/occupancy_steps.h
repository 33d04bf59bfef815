// What one resource has to give for one more resident block, the others unchanged. Each search looks
// for the smallest change that yields more than `blocks`; empty when none does.
#pragma once

#include <cstdint>
#include <optional>

#include "arch_specs/arch_spec.h"
#include "model/launch/occupancy.h"

namespace gpumodel {

// Down to one register per thread.
[[nodiscard]] std::optional<int> registers_fewer(const ArchSpec& arch, const OccupancyRequest& request,
                                                 int blocks);

// Down to no shared memory. With a carve-out hint the number of blocks need not fall with the size (a
// size above the hint may select a larger carve-out): the nearest smaller size that gains is meant.
[[nodiscard]] std::optional<std::int64_t> shared_bytes_fewer(const ArchSpec& arch,
                                                             const OccupancyRequest& request, int blocks);

// Down to one warp.
[[nodiscard]] std::optional<int> threads_fewer(const ArchSpec& arch, const OccupancyRequest& request,
                                               int blocks);

}  // namespace gpumodel
