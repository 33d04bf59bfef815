// autotuned: 256 threads as a 16x16 grid cover a (16*TM)x(16*TN) sub-tile; sub-tile loops outside the
// k loop. C = alpha*A*B + beta*C, row-major, fp32; grid (N/BN, M/BM); M, N, K are multiples of BM, BN, BK.
// UNROLL: 0 leaves the k loop and the sub-tile loops to the compiler; N unrolls the k loop by N and
// the sub-tile loops fully.
#pragma once

#include "vector_access.cuh"

namespace gpumodel::kernels {

template <int BM, int BN, int BK, int TM, int TN, int UNROLL>
__global__ void __launch_bounds__(256)
    autotuned(int M, int N, int K, float alpha, const float* A, const float* B, float beta, float* C) {
    constexpr int threads = 256;
    constexpr int sub_m = 16 * TM;
    constexpr int sub_n = 16 * TN;
    constexpr int m_iter = BM / sub_m;
    constexpr int n_iter = BN / sub_n;
    constexpr int a_step = threads * 4 / BK;
    constexpr int b_step = threads / (BN / 4);
    constexpr int m_unroll = UNROLL > 0 ? m_iter : 0;
    constexpr int n_unroll = UNROLL > 0 ? n_iter : 0;
    static_assert(threads * 4 % BK == 0 && threads * 4 % BN == 0, "row steps are whole");
    static_assert(BM % sub_m == 0 && BN % sub_n == 0, "sub-tiles cover the tile");
    static_assert(BM * BK % (4 * threads) == 0 && BN * BK % (4 * threads) == 0, "whole loads per thread");
    __shared__ float As[BM * BK];
    __shared__ float Bs[BK * BN];
    const unsigned thread_col = threadIdx.x % 16;
    const unsigned thread_row = threadIdx.x / 16;
    const unsigned a_row = threadIdx.x / (BK / 4);
    const unsigned a_vec = threadIdx.x % (BK / 4);
    const unsigned b_row = threadIdx.x / (BN / 4);
    const unsigned b_vec = threadIdx.x % (BN / 4);
    A += blockIdx.y * BM * K;
    B += blockIdx.x * BN;
    C += blockIdx.y * BM * N + blockIdx.x * BN;

    float acc[m_iter * n_iter * TM * TN] = {0.0f};
    float a[TM] = {0.0f};
    float b[TN] = {0.0f};
    for (unsigned tile = 0; tile < K; tile += BK) {
        for (unsigned row = 0; row < BM; row += a_step) {
            store_transposed<BM>(As, a_row + row, a_vec, load4(&A[(a_row + row) * K + a_vec * 4]));
        }
        for (unsigned row = 0; row < BK; row += b_step) {
            store4(&Bs[(b_row + row) * BN + b_vec * 4], load4(&B[(b_row + row) * N + b_vec * 4]));
        }
        __syncthreads();
#pragma unroll m_unroll
        for (unsigned m = 0; m < m_iter; ++m) {
#pragma unroll n_unroll
            for (unsigned n = 0; n < n_iter; ++n) {
#pragma unroll UNROLL
                for (unsigned k = 0; k < BK; ++k) {
                    for (unsigned i = 0; i < TM; ++i) {
                        a[i] = As[k * BM + m * sub_m + thread_row * TM + i];
                    }
                    for (unsigned j = 0; j < TN; ++j) {
                        b[j] = Bs[k * BN + n * sub_n + thread_col * TN + j];
                    }
                    for (unsigned i = 0; i < TM; ++i) {
                        for (unsigned j = 0; j < TN; ++j) {
                            acc[(m * TM + i) * (n_iter * TN) + n * TN + j] += a[i] * b[j];
                        }
                    }
                }
            }
        }
        A += BK;
        B += BK * N;
        __syncthreads();
    }
    for (unsigned m = 0; m < m_iter; ++m) {
        for (unsigned n = 0; n < n_iter; ++n) {
            float* sub = C + m * sub_m * N + n * sub_n;
            for (unsigned i = 0; i < TM; ++i) {
                for (unsigned j = 0; j < TN; j += 4) {
                    update4(&sub[(thread_row * TM + i) * N + thread_col * TN + j],
                            &acc[(m * TM + i) * (n_iter * TN) + n * TN + j], alpha, beta);
                }
            }
        }
    }
}

}  // namespace gpumodel::kernels
