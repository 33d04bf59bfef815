// doublebuffer_bulk: doublebuffer_async as CUDA's own memcpy_async makes it of the same source. On sm_90 it
// turns the aligned 16-byte copies of B into bulk copies, which one elected lane issues after a fence, and
// the barrier counts their bytes; the 4-byte copies of A stay asynchronous copies. Below sm_90 both are
// asynchronous copies. Parameters, grid and UNROLL as warptile; sm_80 and later.
#pragma once

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800
#include <cuda/barrier>
#endif

#include "warp_tile.cuh"

#pragma nv_diag_suppress static_var_with_dynamic_init  // the barriers: init() is called

namespace gpumodel::kernels {

#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800

using BlockBarrier = cuda::barrier<cuda::thread_scope_block>;

// As load_tile, but asynchronous: four 4-byte copies per vector of A because of the transpose, one 16-byte
// copy per vector of B. `landed` completes when all have.
template <class T>
__device__ void copy_tile(const float* A, const float* B, int K, int N, float* As, float* Bs, unsigned a_row,
                          unsigned a_vec, unsigned b_row, unsigned b_vec, BlockBarrier& landed) {
    constexpr int a_step = T::THREADS * 4 / T::BK;
    constexpr int b_step = T::THREADS / (T::BN / 4);
    const cuda::aligned_size_t<4> word(4);
    const cuda::aligned_size_t<16> vector(16);
    for (unsigned row = 0; row < T::BM; row += a_step) {
        for (unsigned e = 0; e < 4; ++e) {
            cuda::memcpy_async(&As[(a_vec * 4 + e) * T::BM + a_row + row],
                               &A[(a_row + row) * K + a_vec * 4 + e], word, landed);
        }
    }
    for (unsigned row = 0; row < T::BK; row += b_step) {
        cuda::memcpy_async(&Bs[(b_row + row) * T::BN + b_vec * 4], &B[(b_row + row) * N + b_vec * 4], vector,
                           landed);
    }
}

#endif

// The last tile's products come after the loop, so that every trip copies a tile. Compiles to
// nothing below sm_80: not to be launched there.
template <int BM, int BN, int BK, int WM, int WN, int WNITER, int TM, int TN, int THREADS, int UNROLL>
__global__ void __launch_bounds__(THREADS) doublebuffer_bulk(int M, int N, int K, float alpha, const float* A,
                                                             const float* B, float beta, float* C) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
    using T = WarpTile<BM, BN, BK, WM, WN, WNITER, TM, TN, THREADS, UNROLL>;
    __shared__ BlockBarrier barriers[2];
    __shared__ float As[2 * BM * BK];
    __shared__ float Bs[2 * BK * BN];
    const unsigned warp_col = threadIdx.x / 32 % (BN / WN);
    const unsigned warp_row = threadIdx.x / 32 / (BN / WN);
    const unsigned lane_col = threadIdx.x % 32 % (T::WSUBN / TN);
    const unsigned lane_row = threadIdx.x % 32 / (T::WSUBN / TN);
    const unsigned a_row = threadIdx.x / (BK / 4);
    const unsigned a_vec = threadIdx.x % (BK / 4);
    const unsigned b_row = threadIdx.x / (BN / 4);
    const unsigned b_vec = threadIdx.x % (BN / 4);
    BlockBarrier* landed = &barriers[0];
    BlockBarrier* landing = &barriers[1];
    if (threadIdx.x == 0) {
        init(landed, THREADS);
        init(landing, THREADS);
    }
    __syncthreads();
    A += blockIdx.y * BM * K;
    B += blockIdx.x * BN;
    C += (blockIdx.y * BM + warp_row * WM) * N + blockIdx.x * BN + warp_col * WN;

    float acc[T::R * T::S] = {0.0f};
    float a[T::R] = {0.0f};
    float b[T::S] = {0.0f};
    int buffer = 0;
    copy_tile<T>(A, B, K, N, As, Bs, a_row, a_vec, b_row, b_vec, *landed);
    for (unsigned tile = 0; tile < K - BK; tile += BK) {
        copy_tile<T>(A + BK, B + BK * N, K, N, As + (1 - buffer) * BM * BK, Bs + (1 - buffer) * BK * BN,
                     a_row, a_vec, b_row, b_vec, *landing);
        landed->arrive_and_wait();
        multiply_tile<T>(As + buffer * BM * BK, Bs + buffer * BK * BN, a, b, acc, warp_row, warp_col,
                         lane_row, lane_col);
        A += BK;
        B += BK * N;
        buffer = 1 - buffer;
        BlockBarrier* other = landed;
        landed = landing;
        landing = other;
        __syncthreads();
    }
    landed->arrive_and_wait();
    multiply_tile<T>(As + buffer * BM * BK, Bs + buffer * BK * BN, a, b, acc, warp_row, warp_col, lane_row,
                     lane_col);
    update_results<T>(C, N, acc, alpha, beta, lane_row, lane_col);
#endif
}

}  // namespace gpumodel::kernels
