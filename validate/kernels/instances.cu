// Instantiates one group of kernels, for their registers and listings (../listings/make_listings.py).
// -DGPUMODEL_GROUP=0 ... 5 picks the group; groups only spread the compile time.
#include "block_tile.cuh"
#include "double_buffer.cuh"
#include "double_buffer_bulk.cuh"
#include "guide.cuh"
#include "instances.cuh"
#include "simple.cuh"
#include "sub_tile.cuh"
#include "tuning_grid.cuh"
#include "vector_tile.cuh"
#include "warp_tile.cuh"
#include "with_launch_bound.cuh"

namespace gpumodel::kernels {

#define GPUMODEL_GEMM(kernel, ...)                                                                        \
    template __global__ void kernel<__VA_ARGS__>(int, int, int, float, const float*, const float*, float, \
                                                 float*);
#define GPUMODEL_AB(kernel, unroll) \
    template __global__ void kernel<unroll>(const float*, const float*, float*, int);
#define GPUMODEL_AAT(kernel, unroll) template __global__ void kernel<unroll>(const float*, float*, int);

#define GPUMODEL_TRANSPOSE(kernel, unroll) \
    template __global__ void kernel<unroll>(float*, const float*, int, int);

#if GPUMODEL_GROUP == 0
#define X(unroll)                       \
    GPUMODEL_GEMM(naive, unroll)        \
    GPUMODEL_GEMM(coalesced, unroll)    \
    GPUMODEL_AB(ab_simple, unroll)      \
    GPUMODEL_AB(ab_coalesced, unroll)   \
    GPUMODEL_AB(ab_shared, unroll)      \
    GPUMODEL_AAT(aat_simple, unroll)    \
    GPUMODEL_AAT(aat_coalesced, unroll) \
    GPUMODEL_AAT(aat_padded, unroll)
GPUMODEL_SIMPLE_UNROLLS(X)
#undef X
#define X(unroll)                                \
    GPUMODEL_TRANSPOSE(transpose_naive, unroll)  \
    GPUMODEL_TRANSPOSE(transpose_shared, unroll) \
    GPUMODEL_TRANSPOSE(transpose_padded, unroll)
GPUMODEL_TRANSPOSE_UNROLLS(X)
#undef X
template __global__ void offset_copy<float>(float*, const float*, int);
template __global__ void stride_copy<float>(float*, const float*, int);
#define X(...) GPUMODEL_GEMM(smem, __VA_ARGS__)
GPUMODEL_SMEM(X)
#undef X
#define X(...) GPUMODEL_GEMM(blocktile1d, __VA_ARGS__)
GPUMODEL_BLOCKTILE1D(X)
#undef X
#define X(...) GPUMODEL_GEMM(vectorized, __VA_ARGS__)
GPUMODEL_VECTORIZED(X)
#undef X
#define X(...) GPUMODEL_GEMM(bank_linearize, __VA_ARGS__)
GPUMODEL_BANK_LINEARIZE(X)
#undef X
#define X(...) GPUMODEL_GEMM(bank_extracol, __VA_ARGS__)
GPUMODEL_BANK_EXTRACOL(X)
#undef X
#elif GPUMODEL_GROUP == 1
#define X(...) GPUMODEL_GEMM(blocktile2d, __VA_ARGS__)
GPUMODEL_BLOCKTILE2D(X)
#undef X
#elif GPUMODEL_GROUP == 4
#define X(...) GPUMODEL_GEMM(autotuned, __VA_ARGS__)
GPUMODEL_AUTOTUNED(X)
GPUMODEL_AUTOTUNED_GRID(X)
#undef X
#elif GPUMODEL_GROUP == 5
#define X(...) GPUMODEL_GEMM(warptile, __VA_ARGS__)
GPUMODEL_WARPTILE_GRID(X)
#undef X
#elif GPUMODEL_GROUP == 2
#define X(...) GPUMODEL_GEMM(warptile, __VA_ARGS__)
GPUMODEL_WARPTILE(X)
#undef X
#elif GPUMODEL_GROUP == 3
#define X(...) GPUMODEL_GEMM(doublebuffer, __VA_ARGS__)
GPUMODEL_DOUBLEBUFFER(X)
#undef X
#define X(...) GPUMODEL_GEMM(doublebuffer_split, __VA_ARGS__)
GPUMODEL_DOUBLEBUFFER_SPLIT(X)
#undef X
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800
#define X(...) GPUMODEL_GEMM(doublebuffer_async, __VA_ARGS__)
GPUMODEL_DOUBLEBUFFER_ASYNC(X)
#undef X
#endif
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
#define X(...) GPUMODEL_GEMM(doublebuffer_bulk, __VA_ARGS__)
GPUMODEL_DOUBLEBUFFER_BULK(X)
#undef X
#endif
#endif

}  // namespace gpumodel::kernels
