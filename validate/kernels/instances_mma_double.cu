// The instances of instances/mma_double.cuh, for their registers and listings (../listings/tensor).
#include "instances/mma_double.cuh"
#include "mma_ring.cuh"

namespace gpumodel::kernels {

#define X(...) \
    template __global__ void mma_double<__VA_ARGS__>(int, int, int, const void*, const void*, void*);
GPUMODEL_MMA_DOUBLE(X)
#undef X

}  // namespace gpumodel::kernels
