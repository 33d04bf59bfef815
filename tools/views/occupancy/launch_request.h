// The occupancy request that a launch's resources make.
#pragma once

#include "model/launch/occupancy.h"
#include "traces/kernel_program.h"

namespace gpumodel::cli::page {

// As launch_occupancy asks: static shared arrays cannot use the opt-in range.
[[nodiscard]] OccupancyRequest request_of(const BlockResources& resources);

}  // namespace gpumodel::cli::page
