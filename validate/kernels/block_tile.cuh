// Several results per thread, scalar staging: blocktile1d and blocktile2d. C = alpha*A*B + beta*C,
// row-major, fp32; grid (N/BN, M/BM); M, N, K are multiples of BM, BN, BK.
// UNROLL: 0 leaves the k loop of a tile to the compiler, N unrolls it by N.
#pragma once

namespace gpumodel::kernels {

// BM*BN/TM threads, each TM rows of one column; BM*BK = BN*BK = threads.
template <int BM, int BN, int BK, int TM, int UNROLL>
__global__ void blocktile1d(int M, int N, int K, float alpha, const float* A, const float* B, float beta,
                            float* C) {
    static_assert(BM * BK == BM * BN / TM && BN * BK == BM * BN / TM, "one word of A and B per thread");
    __shared__ float As[BM * BK];
    __shared__ float Bs[BK * BN];
    const unsigned thread_row = threadIdx.x / BN;
    const unsigned thread_col = threadIdx.x % BN;
    const unsigned a_row = threadIdx.x / BK;
    const unsigned a_col = threadIdx.x % BK;
    A += blockIdx.y * BM * K;
    B += blockIdx.x * BN;
    C += blockIdx.y * BM * N + blockIdx.x * BN;

    float acc[TM] = {0.0f};
    for (unsigned tile = 0; tile < K; tile += BK) {
        As[a_row * BK + a_col] = A[a_row * K + a_col];
        Bs[thread_row * BN + thread_col] = B[thread_row * N + thread_col];
        __syncthreads();
        A += BK;
        B += BK * N;
#pragma unroll UNROLL
        for (unsigned k = 0; k < BK; ++k) {
            const float b = Bs[k * BN + thread_col];
            for (unsigned i = 0; i < TM; ++i) {
                acc[i] += As[(thread_row * TM + i) * BK + k] * b;
            }
        }
        __syncthreads();
    }
    for (unsigned i = 0; i < TM; ++i) {
        float& c = C[(thread_row * TM + i) * N + thread_col];
        c = alpha * acc[i] + beta * c;
    }
}

// BM*BN/(TM*TN) threads, each TM x TN contiguous results; As stays row-major.
template <int BM, int BN, int BK, int TM, int TN, int UNROLL>
__global__ void __launch_bounds__(BM* BN / (TM * TN), 1)
    blocktile2d(int M, int N, int K, float alpha, const float* A, const float* B, float beta, float* C) {
    constexpr int threads = BM * BN / (TM * TN);
    constexpr int a_step = threads / BK;
    constexpr int b_step = threads / BN;
    static_assert(threads % BK == 0 && threads % BN == 0 && BM % a_step == 0 && BK % b_step == 0,
                  "the loads cover the tiles exactly");
    __shared__ float As[BM * BK];
    __shared__ float Bs[BK * BN];
    const unsigned thread_row = threadIdx.x / (BN / TN);
    const unsigned thread_col = threadIdx.x % (BN / TN);
    const unsigned a_row = threadIdx.x / BK;
    const unsigned a_col = threadIdx.x % BK;
    const unsigned b_row = threadIdx.x / BN;
    const unsigned b_col = threadIdx.x % BN;
    A += blockIdx.y * BM * K;
    B += blockIdx.x * BN;
    C += blockIdx.y * BM * N + blockIdx.x * BN;

    float acc[TM * TN] = {0.0f};
    float a[TM] = {0.0f};
    float b[TN] = {0.0f};
    for (unsigned tile = 0; tile < K; tile += BK) {
        for (unsigned row = 0; row < BM; row += a_step) {
            As[(a_row + row) * BK + a_col] = A[(a_row + row) * K + a_col];
        }
        for (unsigned row = 0; row < BK; row += b_step) {
            Bs[(b_row + row) * BN + b_col] = B[(b_row + row) * N + b_col];
        }
        __syncthreads();
        A += BK;
        B += BK * N;
#pragma unroll UNROLL
        for (unsigned k = 0; k < BK; ++k) {
            for (unsigned i = 0; i < TM; ++i) {
                a[i] = As[(thread_row * TM + i) * BK + k];
            }
            for (unsigned j = 0; j < TN; ++j) {
                b[j] = Bs[k * BN + thread_col * TN + j];
            }
            for (unsigned i = 0; i < TM; ++i) {
                for (unsigned j = 0; j < TN; ++j) {
                    acc[i * TN + j] += a[i] * b[j];
                }
            }
        }
        __syncthreads();
    }
    for (unsigned i = 0; i < TM; ++i) {
        for (unsigned j = 0; j < TN; ++j) {
            float& c = C[(thread_row * TM + i) * N + thread_col * TN + j];
            c = alpha * acc[i * TN + j] + beta * c;
        }
    }
}

}  // namespace gpumodel::kernels
