// The kernels whose listings are committed here: every family at its defaults and two or three further
// instances of each tiled family, some with a pinned unroll factor. Chosen from ../kernels/instances.cuh so
// that the listings stay small; compiled by make_listings.sh.
#include "../kernels/block_tile.cuh"
#include "../kernels/double_buffer.cuh"
#include "../kernels/guide.cuh"
#include "../kernels/simple.cuh"
#include "../kernels/sub_tile.cuh"
#include "../kernels/vector_tile.cuh"
#include "../kernels/warp_tile.cuh"
#include "../kernels/with_launch_bound.cuh"

namespace gpumodel::kernels {

#define GEMM(kernel, ...)                                                                                 \
    template __global__ void kernel<__VA_ARGS__>(int, int, int, float, const float*, const float*, float, \
                                                 float*);
#define AB(kernel) template __global__ void kernel<0>(const float*, const float*, float*, int);
#define AAT(kernel) template __global__ void kernel<0>(const float*, float*, int);
#define TRANSPOSE(kernel) template __global__ void kernel<0>(float*, const float*, int, int);

GEMM(naive, 0)
GEMM(coalesced, 0)
GEMM(smem, 32, 0)
GEMM(smem, 16, 4)
AB(ab_simple)
AB(ab_coalesced)
AB(ab_shared)
AAT(aat_simple)
AAT(aat_coalesced)
AAT(aat_padded)
TRANSPOSE(transpose_naive)
TRANSPOSE(transpose_shared)
TRANSPOSE(transpose_padded)
template __global__ void offset_copy<float>(float*, const float*, int);
template __global__ void stride_copy<float>(float*, const float*, int);

// BM, BN, BK, TM, UNROLL
GEMM(blocktile1d, 64, 64, 8, 8, 0)
GEMM(blocktile1d, 32, 32, 8, 4, 0)
GEMM(blocktile1d, 128, 128, 8, 16, 1)

// BM, BN, BK, TM, TN, UNROLL
GEMM(blocktile2d, 128, 128, 8, 8, 8, 0)
GEMM(blocktile2d, 32, 32, 8, 4, 4, 0)
GEMM(blocktile2d, 128, 64, 8, 16, 8, 1)
GEMM(vectorized, 128, 128, 8, 8, 8, 0)
GEMM(vectorized, 64, 64, 8, 8, 4, 0)
GEMM(vectorized, 128, 128, 8, 8, 8, 4)
GEMM(bank_linearize, 128, 128, 8, 8, 8, 0)
GEMM(bank_linearize, 128, 128, 8, 8, 8, 4)
GEMM(bank_extracol, 128, 128, 8, 8, 8, 0)
GEMM(bank_extracol, 64, 64, 8, 8, 4, 0)
GEMM(autotuned, 128, 128, 16, 8, 8, 0)
GEMM(autotuned, 64, 64, 16, 4, 4, 0)
GEMM(autotuned, 128, 128, 16, 8, 8, 4)

// BM, BN, BK, WM, WN, WNITER, TM, TN, THREADS, UNROLL
GEMM(warptile, 128, 128, 16, 64, 64, 4, 8, 4, 128, 0)
GEMM(warptile, 64, 128, 16, 32, 32, 2, 4, 4, 256, 0)
GEMM(warptile, 128, 64, 8, 64, 32, 2, 8, 4, 128, 0)
GEMM(warptile, 128, 128, 16, 64, 64, 4, 8, 4, 128, 4)
GEMM(doublebuffer, 128, 128, 16, 64, 64, 4, 8, 4, 128, 0)
GEMM(doublebuffer, 64, 64, 16, 32, 32, 2, 4, 4, 128, 0)
GEMM(doublebuffer, 128, 128, 16, 64, 64, 4, 8, 4, 128, 4)
GEMM(doublebuffer_split, 64, 128, 16, 32, 32, 2, 4, 4, 256, 0)
GEMM(doublebuffer_split, 64, 64, 16, 32, 32, 2, 4, 4, 128, 0)
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800
GEMM(doublebuffer_async, 128, 128, 16, 64, 64, 4, 8, 4, 128, 0)
GEMM(doublebuffer_async, 64, 64, 16, 32, 32, 2, 4, 4, 128, 0)
#endif

}  // namespace gpumodel::kernels
