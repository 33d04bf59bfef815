// The tensor-core products of instances/mma_volta.cuh, for their registers and listings (../listings/tensor).
#include "instances/mma_volta.cuh"
#include "mma_tile.cuh"

namespace gpumodel::kernels {

#define GPUMODEL_MMA(kernel, ...) \
    template __global__ void kernel<__VA_ARGS__>(int, int, int, const void*, const void*, void*);
#define GPUMODEL_DIRECT(...) GPUMODEL_MMA(mma_direct, __VA_ARGS__)
#define GPUMODEL_SHARED(...) GPUMODEL_MMA(mma_shared, __VA_ARGS__)
#define GPUMODEL_SWIZZLED(...) GPUMODEL_MMA(mma_swizzled, __VA_ARGS__)

GPUMODEL_MMA_DIRECT_VOLTA(GPUMODEL_DIRECT)
GPUMODEL_MMA_SHARED_VOLTA(GPUMODEL_SHARED)
GPUMODEL_MMA_SWIZZLED_VOLTA(GPUMODEL_SWIZZLED)
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 750
GPUMODEL_MMA_DIRECT_TURING(GPUMODEL_DIRECT)
GPUMODEL_MMA_SHARED_TURING(GPUMODEL_SHARED)
GPUMODEL_MMA_SWIZZLED_TURING(GPUMODEL_SWIZZLED)
#endif

}  // namespace gpumodel::kernels
