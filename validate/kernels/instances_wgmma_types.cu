// The warp groups' products of instances/wgmma_types.cuh, for their registers and listings
// (../listings/tensor).
#include "instances/wgmma_types.cuh"
#include "wgmma_groups.cuh"

namespace gpumodel::kernels {

#define GPUMODEL_WGMMA_KERNEL(kernel, ...)                                                         \
    template __global__ void kernel<__VA_ARGS__>(int, int, int, const __grid_constant__ TensorMap, \
                                                 const __grid_constant__ TensorMap, float*);

#define X(...) GPUMODEL_WGMMA_KERNEL(wgmma_tma, __VA_ARGS__)
GPUMODEL_WGMMA_TMA_TYPES(X)
#undef X
#define X(...) GPUMODEL_WGMMA_KERNEL(wgmma_warp_specialized, __VA_ARGS__)
GPUMODEL_WGMMA_WARP_SPECIALIZED_TYPES(X)
#undef X

}  // namespace gpumodel::kernels
