// Warp tiles whose inner loops are timed: bounded by register ports and by shared memory.
#include "validate/kernels/warp_tile.cuh"

namespace gpumodel::kernels {

#define TILE(...)                                                                                       \
    template __global__ void warptile<__VA_ARGS__, 0>(int, int, int, float, const float*, const float*, \
                                                      float, float*);
TILE(128, 128, 8, 32, 64, 1, 4, 4, 256)
TILE(64, 128, 32, 64, 16, 2, 4, 4, 256)
TILE(128, 128, 16, 32, 64, 2, 8, 4, 256)
TILE(128, 64, 16, 32, 32, 1, 4, 4, 256)

}  // namespace gpumodel::kernels
