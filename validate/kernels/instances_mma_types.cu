// The tensor-core products of instances/mma_types.cuh, for their registers and listings (../listings/tensor).
#include "instances/mma_types.cuh"
#include "mma_ring.cuh"

namespace gpumodel::kernels {

#define GPUMODEL_MMA(kernel, ...) \
    template __global__ void kernel<__VA_ARGS__>(int, int, int, const void*, const void*, void*);

#define X(...) GPUMODEL_MMA(mma_direct, __VA_ARGS__)
GPUMODEL_MMA_DIRECT_TYPES(X)
#undef X
#define X(...) GPUMODEL_MMA(mma_shared, __VA_ARGS__)
GPUMODEL_MMA_SHARED_TYPES(X)
#undef X
#define X(...) GPUMODEL_MMA(mma_swizzled, __VA_ARGS__)
GPUMODEL_MMA_SWIZZLED_TYPES(X)
#undef X
#define X(...) GPUMODEL_MMA(mma_async, __VA_ARGS__)
GPUMODEL_MMA_ASYNC_TYPES(X)
#undef X

}  // namespace gpumodel::kernels
