// The tensor-core products of instances/mma.cuh, for their registers and listings (../listings/tensor).
#include "instances/mma.cuh"
#include "mma_ring.cuh"

namespace gpumodel::kernels {

#define GPUMODEL_MMA(kernel, ...) \
    template __global__ void kernel<__VA_ARGS__>(int, int, int, const void*, const void*, void*);

#define X(...) GPUMODEL_MMA(mma_direct, __VA_ARGS__)
GPUMODEL_MMA_DIRECT(X)
#undef X
#define X(...) GPUMODEL_MMA(mma_shared, __VA_ARGS__)
GPUMODEL_MMA_SHARED(X)
#undef X
#define X(...) GPUMODEL_MMA(mma_swizzled, __VA_ARGS__)
GPUMODEL_MMA_SWIZZLED(X)
#undef X
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800
#define X(...) GPUMODEL_MMA(mma_async, __VA_ARGS__)
GPUMODEL_MMA_ASYNC(X)
#undef X
#endif

}  // namespace gpumodel::kernels
