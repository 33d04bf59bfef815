// The compiler allocates registers differently in a file of which one kernel has a launch bound (seen with
// CUDA 13.0, sm_90: warptile 165 registers instead of 168). blocktile2d has one, and the committed listings
// and register counts come from files that contain it; so every file of instances does.
#pragma once

#include "validate/kernels/block_tile.cuh"

namespace gpumodel::kernels {

template __global__ void blocktile2d<128, 128, 8, 8, 8, 0>(int, int, int, float, const float*, const float*,
                                                           float, float*);

}  // namespace gpumodel::kernels
