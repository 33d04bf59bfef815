// warptile with two shared buffers: doublebuffer (next tile held in registers), doublebuffer_split (the
// block's halves take turns) and doublebuffer_async (asynchronous copies, sm_80 and later). Parameters,
// grid and UNROLL as warptile.
#pragma once

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800
#include <cuda_awbarrier_primitives.h>
#include <cuda_pipeline_primitives.h>
#endif

#include "warp_tile.cuh"

namespace gpumodel::kernels {

// The next tile's global loads go to registers before the products of the current tile, and to the
// other buffer after them; one barrier per tile.
template <int BM, int BN, int BK, int WM, int WN, int WNITER, int TM, int TN, int THREADS, int UNROLL>
__global__ void __launch_bounds__(THREADS)
    doublebuffer(int M, int N, int K, float alpha, const float* A, const float* B, float beta, float* C) {
    using T = WarpTile<BM, BN, BK, WM, WN, WNITER, TM, TN, THREADS, UNROLL>;
    constexpr int a_step = THREADS * 4 / BK;
    constexpr int b_step = THREADS / (BN / 4);
    constexpr int a_loads = BM / a_step;
    constexpr int b_loads = BK / b_step;
    __shared__ float As[2][BM * BK];
    __shared__ float Bs[2][BK * BN];
    const unsigned warp_col = threadIdx.x / 32 % (BN / WN);
    const unsigned warp_row = threadIdx.x / 32 / (BN / WN);
    const unsigned lane_col = threadIdx.x % 32 % (T::WSUBN / TN);
    const unsigned lane_row = threadIdx.x % 32 / (T::WSUBN / TN);
    const unsigned a_row = threadIdx.x / (BK / 4);
    const unsigned a_vec = threadIdx.x % (BK / 4);
    const unsigned b_row = threadIdx.x / (BN / 4);
    const unsigned b_vec = threadIdx.x % (BN / 4);
    A += blockIdx.y * BM * K;
    B += blockIdx.x * BN;
    C += (blockIdx.y * BM + warp_row * WM) * N + blockIdx.x * BN + warp_col * WN;

    load_tile<T, THREADS>(A, B, K, N, As[0], Bs[0], a_row, a_vec, b_row, b_vec);
    __syncthreads();

    float acc[T::R * T::S] = {0.0f};
    float a[T::R] = {0.0f};
    float b[T::S] = {0.0f};
    float4 next_a[a_loads];
    float4 next_b[b_loads];
    int buffer = 0;
    for (unsigned tile = 0; tile < K; tile += BK) {
        A += BK;
        B += BK * N;
        const bool more = tile + BK < K;
        if (more) {
            for (unsigned i = 0; i < a_loads; ++i) {
                next_a[i] = load4(&A[(a_row + i * a_step) * K + a_vec * 4]);
            }
            for (unsigned i = 0; i < b_loads; ++i) {
                next_b[i] = load4(&B[(b_row + i * b_step) * N + b_vec * 4]);
            }
        }
        multiply_tile<T>(As[buffer], Bs[buffer], a, b, acc, warp_row, warp_col, lane_row, lane_col);
        buffer ^= 1;
        if (more) {
            for (unsigned i = 0; i < a_loads; ++i) {
                store_transposed<BM>(As[buffer], a_row + i * a_step, a_vec, next_a[i]);
            }
            for (unsigned i = 0; i < b_loads; ++i) {
                store4(&Bs[buffer][(b_row + i * b_step) * BN + b_vec * 4], next_b[i]);
            }
        }
        __syncthreads();
    }
    update_results<T>(C, N, acc, alpha, beta, lane_row, lane_col);
}

// First half of the block: buffer 0, barrier, buffer 1, barrier, refill buffer 0. Second half: refill
// buffer 1, barrier, buffer 0, barrier, buffer 1. A barrier ends the round of 2*BK. The barriers in the two
// branches pair up; every warp executes the same number of them.
template <int BM, int BN, int BK, int WM, int WN, int WNITER, int TM, int TN, int THREADS, int UNROLL>
__global__ void __launch_bounds__(THREADS)
    doublebuffer_split(int M, int N, int K, float alpha, const float* A, const float* B, float beta,
                       float* C) {
    using T = WarpTile<BM, BN, BK, WM, WN, WNITER, TM, TN, THREADS, UNROLL>;
    constexpr int half = THREADS / 2;
    static_assert(half % 32 == 0, "halves are whole warps");
    __shared__ float As[2 * BM * BK];
    __shared__ float Bs[2 * BK * BN];
    const unsigned warp_col = threadIdx.x / 32 % (BN / WN);
    const unsigned warp_row = threadIdx.x / 32 / (BN / WN);
    const unsigned lane_col = threadIdx.x % 32 % (T::WSUBN / TN);
    const unsigned lane_row = threadIdx.x % 32 / (T::WSUBN / TN);
    const bool second = threadIdx.x >= half;
    const unsigned a_row = threadIdx.x % half / (BK / 4);
    const unsigned a_vec = threadIdx.x % half % (BK / 4);
    const unsigned b_row = threadIdx.x % half / (BN / 4);
    const unsigned b_vec = threadIdx.x % half % (BN / 4);
    A += blockIdx.y * BM * K;
    B += blockIdx.x * BN;
    C += (blockIdx.y * BM + warp_row * WM) * N + blockIdx.x * BN + warp_col * WN;

    float acc[T::R * T::S] = {0.0f};
    float a[T::R] = {0.0f};
    float b[T::S] = {0.0f};
    if (!second) {
        load_tile<T, half>(A, B, K, N, As, Bs, a_row, a_vec, b_row, b_vec);
    }
    __syncthreads();
    for (unsigned tile = 0; tile < K; tile += 2 * BK) {
        if (!second) {
            multiply_tile<T>(As, Bs, a, b, acc, warp_row, warp_col, lane_row, lane_col);
            __syncthreads();
            if (tile + BK < K) {
                multiply_tile<T>(As + BM * BK, Bs + BK * BN, a, b, acc, warp_row, warp_col, lane_row,
                                 lane_col);
            }
            __syncthreads();
            if (tile + 2 * BK < K) {
                load_tile<T, half>(A + 2 * BK, B + 2 * BK * N, K, N, As, Bs, a_row, a_vec, b_row, b_vec);
            }
        } else {
            if (tile + BK < K) {
                load_tile<T, half>(A + BK, B + BK * N, K, N, As + BM * BK, Bs + BK * BN, a_row, a_vec, b_row,
                                   b_vec);
            }
            __syncthreads();
            multiply_tile<T>(As, Bs, a, b, acc, warp_row, warp_col, lane_row, lane_col);
            __syncthreads();
            if (tile + BK < K) {
                multiply_tile<T>(As + BM * BK, Bs + BK * BN, a, b, acc, warp_row, warp_col, lane_row,
                                 lane_col);
            }
        }
        A += 2 * BK;
        B += 2 * BK * N;
        __syncthreads();
    }
    update_results<T>(C, N, acc, alpha, beta, lane_row, lane_col);
}

#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800

// As load_tile, but asynchronous: four 4-byte copies per vector of A because of the transpose, one
// 16-byte copy per vector of B.
template <class T>
__device__ __forceinline__ void copy_tile_async(const float* A, const float* B, int K, int N, float* As,
                                                float* Bs) {
    constexpr int a_step = T::THREADS * 4 / T::BK;
    constexpr int b_step = T::THREADS / (T::BN / 4);
    const unsigned a_row = threadIdx.x / (T::BK / 4);
    const unsigned a_vec = threadIdx.x % (T::BK / 4);
    const unsigned b_row = threadIdx.x / (T::BN / 4);
    const unsigned b_vec = threadIdx.x % (T::BN / 4);
    for (unsigned row = 0; row < T::BM; row += a_step) {
        for (unsigned e = 0; e < 4; ++e) {
            __pipeline_memcpy_async(&As[(a_vec * 4 + e) * T::BM + a_row + row],
                                    &A[(a_row + row) * K + a_vec * 4 + e], 4);
        }
    }
    for (unsigned row = 0; row < T::BK; row += b_step) {
        __pipeline_memcpy_async(&Bs[(b_row + row) * T::BN + b_vec * 4], &B[(b_row + row) * N + b_vec * 4],
                                16);
    }
}

// Waits until every thread has arrived and its copies have landed.
__device__ __forceinline__ void arrive_and_wait(__mbarrier_t* barrier) {
    const __mbarrier_token_t token = __mbarrier_arrive(barrier);
    while (!__mbarrier_test_wait(barrier, token)) {
    }
}

#endif

// Asynchronous copies of the next tile run during the products of the current one; two arrive/wait
// barriers, one per buffer, are used alternately. Compiles to nothing below sm_80: not to be launched there.
template <int BM, int BN, int BK, int WM, int WN, int WNITER, int TM, int TN, int THREADS, int UNROLL>
__global__ void __launch_bounds__(THREADS)
    doublebuffer_async(int M, int N, int K, float alpha, const float* A, const float* B, float beta,
                       float* C) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
    using T = WarpTile<BM, BN, BK, WM, WN, WNITER, TM, TN, THREADS, UNROLL>;
    __shared__ float As[2][BM * BK];
    __shared__ float Bs[2][BK * BN];
    __shared__ __mbarrier_t landed[2];
    const unsigned warp_col = threadIdx.x / 32 % (BN / WN);
    const unsigned warp_row = threadIdx.x / 32 / (BN / WN);
    const unsigned lane_col = threadIdx.x % 32 % (T::WSUBN / TN);
    const unsigned lane_row = threadIdx.x % 32 / (T::WSUBN / TN);
    if (threadIdx.x == 0) {
        __mbarrier_init(&landed[0], THREADS);
        __mbarrier_init(&landed[1], THREADS);
    }
    __syncthreads();
    A += blockIdx.y * BM * K;
    B += blockIdx.x * BN;
    C += (blockIdx.y * BM + warp_row * WM) * N + blockIdx.x * BN + warp_col * WN;

    float acc[T::R * T::S] = {0.0f};
    float a[T::R] = {0.0f};
    float b[T::S] = {0.0f};
    int buffer = 0;
    copy_tile_async<T>(A, B, K, N, As[0], Bs[0]);
    __pipeline_arrive_on(&landed[0]);
    for (unsigned tile = 0; tile < K; tile += BK) {
        A += BK;
        B += BK * N;
        if (tile + BK < K) {
            copy_tile_async<T>(A, B, K, N, As[buffer ^ 1], Bs[buffer ^ 1]);
            __pipeline_arrive_on(&landed[buffer ^ 1]);
        }
        arrive_and_wait(&landed[buffer]);
        multiply_tile<T>(As[buffer], Bs[buffer], a, b, acc, warp_row, warp_col, lane_row, lane_col);
        buffer ^= 1;
        __syncthreads();
    }
    update_results<T>(C, N, acc, alpha, beta, lane_row, lane_col);
#endif
}

}  // namespace gpumodel::kernels
