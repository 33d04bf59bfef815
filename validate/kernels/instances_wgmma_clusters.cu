// The warp groups' products of instances/wgmma_clusters.cuh, for their registers and listings
// (../listings/tensor).
#include "instances/wgmma_clusters.cuh"
#include "wgmma_groups.cuh"

namespace gpumodel::kernels {

#define GPUMODEL_WGMMA_KERNEL(kernel, ...)                                                         \
    template __global__ void kernel<__VA_ARGS__>(int, int, int, const __grid_constant__ TensorMap, \
                                                 const __grid_constant__ TensorMap, float*);

#define X(...) GPUMODEL_WGMMA_KERNEL(wgmma_warp_specialized, __VA_ARGS__)
GPUMODEL_WGMMA_CLUSTERS(X)
#undef X

}  // namespace gpumodel::kernels
