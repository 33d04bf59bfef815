// warptile, and the parts that its double-buffered relatives share. Warp w owns a WM x WN tile of the
// block's BM x BN tile, cut into WMITER x WNITER sub-tiles; each lane owns TM x TN results of every
// sub-tile. C = alpha*A*B + beta*C, row-major, fp32; grid (N/BN, M/BM); M, N, K are multiples of
// BM, BN, BK.
// UNROLL: 0 leaves the k loop of a tile to the compiler, N unrolls it by N.
#pragma once

#include "vector_access.cuh"

namespace gpumodel::kernels {

template <int BM_, int BN_, int BK_, int WM_, int WN_, int WNITER_, int TM_, int TN_, int THREADS_,
          int UNROLL_>
struct WarpTile {
    static constexpr int BM = BM_, BN = BN_, BK = BK_, WM = WM_, WN = WN_, WNITER = WNITER_;
    static constexpr int TM = TM_, TN = TN_, THREADS = THREADS_, UNROLL = UNROLL_;
    static constexpr int WMITER = WM * WN / (32 * TM * TN * WNITER);
    static constexpr int WSUBM = WM / WMITER;
    static constexpr int WSUBN = WN / WNITER;
    static constexpr int R = WMITER * TM;  // words of A per thread and k step
    static constexpr int S = WNITER * TN;  // words of B per thread and k step

    static_assert(BN % WN == 0 && BM % WM == 0, "warp tiles cover the tile");
    static_assert((BN / WN) * (BM / WM) == THREADS / 32, "one warp tile per warp");
    static_assert(WM * WN % (32 * TM * TN * WNITER) == 0, "whole sub-tiles per lane");
    static_assert(WM % WMITER == 0 && WN % WNITER == 0, "sub-tiles cover the warp tile");
};

// Copies a BM x BK tile of A (transposed) and a BK x BN tile of B to shared memory with `LOADERS` threads.
// a_row and b_row: the thread's first rows; a_vec and b_vec: its 16-byte pieces within them.
template <class T, int LOADERS>
__device__ void load_tile(const float* A, const float* B, int K, int N, float* As, float* Bs, unsigned a_row,
                          unsigned a_vec, unsigned b_row, unsigned b_vec) {
    constexpr int a_step = LOADERS * 4 / T::BK;
    constexpr int b_step = LOADERS / (T::BN / 4);
    static_assert(LOADERS * 4 % T::BK == 0 && LOADERS * 4 % T::BN == 0, "row steps are whole");
    static_assert(T::BM % a_step == 0 && T::BK % b_step == 0, "whole loads per thread");
    for (unsigned row = 0; row < T::BM; row += a_step) {
        store_transposed<T::BM>(As, a_row + row, a_vec, load4(&A[(a_row + row) * K + a_vec * 4]));
    }
    for (unsigned row = 0; row < T::BK; row += b_step) {
        store4(&Bs[(b_row + row) * T::BN + b_vec * 4], load4(&B[(b_row + row) * N + b_vec * 4]));
    }
}

// The BK k steps of one tile: all fragments of a step are read, then all products taken.
template <class T>
__device__ void multiply_tile(const float* As, const float* Bs, float* a, float* b, float* acc,
                              unsigned warp_row, unsigned warp_col, unsigned lane_row, unsigned lane_col) {
#pragma unroll T::UNROLL
    for (unsigned k = 0; k < T::BK; ++k) {
        for (unsigned m = 0; m < T::WMITER; ++m) {
            for (unsigned i = 0; i < T::TM; ++i) {
                a[m * T::TM + i] = As[k * T::BM + warp_row * T::WM + m * T::WSUBM + lane_row * T::TM + i];
            }
        }
        for (unsigned n = 0; n < T::WNITER; ++n) {
            for (unsigned j = 0; j < T::TN; ++j) {
                b[n * T::TN + j] = Bs[k * T::BN + warp_col * T::WN + n * T::WSUBN + lane_col * T::TN + j];
            }
        }
        for (unsigned m = 0; m < T::WMITER; ++m) {
            for (unsigned n = 0; n < T::WNITER; ++n) {
                for (unsigned i = 0; i < T::TM; ++i) {
                    for (unsigned j = 0; j < T::TN; ++j) {
                        acc[(m * T::TM + i) * T::S + n * T::TN + j] += a[m * T::TM + i] * b[n * T::TN + j];
                    }
                }
            }
        }
    }
}

// C points at the warp's tile.
template <class T>
__device__ __forceinline__ void update_results(float* C, int N, const float* acc, float alpha, float beta,
                                               unsigned lane_row, unsigned lane_col) {
    for (unsigned m = 0; m < T::WMITER; ++m) {
        for (unsigned n = 0; n < T::WNITER; ++n) {
            float* sub = C + m * T::WSUBM * N + n * T::WSUBN;
            for (unsigned i = 0; i < T::TM; ++i) {
                for (unsigned j = 0; j < T::TN; j += 4) {
                    update4(&sub[(lane_row * T::TM + i) * N + lane_col * T::TN + j],
                            &acc[(m * T::TM + i) * T::S + n * T::TN + j], alpha, beta);
                }
            }
        }
    }
}

// The order of the positions (columns before rows) decides which shared reads the compiler fuses: see
// validate/README.md.
template <int BM, int BN, int BK, int WM, int WN, int WNITER, int TM, int TN, int THREADS, int UNROLL>
__global__ void __launch_bounds__(THREADS)
    warptile(int M, int N, int K, float alpha, const float* A, const float* B, float beta, float* C) {
    using T = WarpTile<BM, BN, BK, WM, WN, WNITER, TM, TN, THREADS, UNROLL>;
    __shared__ float As[BM * BK];
    __shared__ float Bs[BK * BN];
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

    float acc[T::R * T::S] = {0.0f};
    float a[T::R] = {0.0f};
    float b[T::S] = {0.0f};
    for (unsigned tile = 0; tile < K; tile += BK) {
        load_tile<T, THREADS>(A, B, K, N, As, Bs, a_row, a_vec, b_row, b_vec);
        __syncthreads();
        multiply_tile<T>(As, Bs, a, b, acc, warp_row, warp_col, lane_row, lane_col);
        A += BK;
        B += BK * N;
        __syncthreads();
    }
    update_results<T>(C, N, acc, alpha, beta, lane_row, lane_col);
}

}  // namespace gpumodel::kernels
