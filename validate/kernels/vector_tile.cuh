// TM x TN results per thread, one 16-byte load of A and of B per thread and tile: vectorized,
// bank_linearize, bank_extracol. They differ only in how Bs is laid out. C = alpha*A*B + beta*C,
// row-major, fp32; grid (N/BN, M/BM); BM*BN/(TM*TN) threads; BM*BK = BN*BK = 4*threads; M, N, K are
// multiples of BM, BN, BK.
// UNROLL: 0 leaves the k loop of a tile to the compiler, N unrolls it by N.
#pragma once

#include "vector_access.cuh"

namespace gpumodel::kernels {

// Bs as it comes.
template <int BM, int BN, int BK, int TM, int TN, int UNROLL>
__global__ void vectorized(int M, int N, int K, float alpha, const float* A, const float* B, float beta,
                           float* C) {
    constexpr int threads = BM * BN / (TM * TN);
    static_assert(BM * BK == 4 * threads && BN * BK == 4 * threads, "one 16-byte load of A and B per thread");
    __shared__ float As[BM * BK];
    __shared__ float Bs[BK * BN];
    const unsigned thread_row = threadIdx.x / (BN / TN);
    const unsigned thread_col = threadIdx.x % (BN / TN);
    const unsigned a_row = threadIdx.x / (BK / 4);
    const unsigned a_vec = threadIdx.x % (BK / 4);
    const unsigned b_row = threadIdx.x / (BN / 4);
    const unsigned b_vec = threadIdx.x % (BN / 4);
    A += blockIdx.y * BM * K;
    B += blockIdx.x * BN;
    C += blockIdx.y * BM * N + blockIdx.x * BN;

    float acc[TM * TN] = {0.0f};
    float a[TM] = {0.0f};
    float b[TN] = {0.0f};
    for (unsigned tile = 0; tile < K; tile += BK) {
        store_transposed<BM>(As, a_row, a_vec, load4(&A[a_row * K + a_vec * 4]));
        store4(&Bs[b_row * BN + b_vec * 4], load4(&B[b_row * N + b_vec * 4]));
        __syncthreads();
        A += BK;
        B += BK * N;
#pragma unroll UNROLL
        for (unsigned k = 0; k < BK; ++k) {
            for (unsigned i = 0; i < TM; ++i) {
                a[i] = As[k * BM + thread_row * TM + i];
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
        for (unsigned j = 0; j < TN; j += 4) {
            update4(&C[(thread_row * TM + i) * N + thread_col * TN + j], &acc[i * TN + j], alpha, beta);
        }
    }
}

// Bs rearranged so that a thread's TN words lie 16 apart: word e of the vector at (row, v) goes to
// ((v%2)*4 + row*8 + e)*16 + v/2.
template <int BM, int BN, int BK, int TM, int TN, int UNROLL>
__global__ void bank_linearize(int M, int N, int K, float alpha, const float* A, const float* B, float beta,
                               float* C) {
    constexpr int threads = BM * BN / (TM * TN);
    static_assert(BK == 8 && TN == 8 && BN == 128, "the layout is made for 16 thread columns of 8");
    static_assert(BM * BK == 4 * threads && BN * BK == 4 * threads, "one 16-byte load of A and B per thread");
    __shared__ float As[BM * BK];
    __shared__ float Bs[BK * BN];
    const unsigned thread_row = threadIdx.x / (BN / TN);
    const unsigned thread_col = threadIdx.x % (BN / TN);
    const unsigned a_row = threadIdx.x / (BK / 4);
    const unsigned a_vec = threadIdx.x % (BK / 4);
    const unsigned b_row = threadIdx.x / (BN / 4);
    const unsigned b_vec = threadIdx.x % (BN / 4);
    A += blockIdx.y * BM * K;
    B += blockIdx.x * BN;
    C += blockIdx.y * BM * N + blockIdx.x * BN;

    float acc[TM * TN] = {0.0f};
    float a[TM] = {0.0f};
    float b[TN] = {0.0f};
    for (unsigned tile = 0; tile < K; tile += BK) {
        store_transposed<BM>(As, a_row, a_vec, load4(&A[a_row * K + a_vec * 4]));
        const float4 v = load4(&B[b_row * N + b_vec * 4]);
        Bs[((b_vec % 2) * 4 + b_row * 8 + 0) * 16 + b_vec / 2] = v.x;
        Bs[((b_vec % 2) * 4 + b_row * 8 + 1) * 16 + b_vec / 2] = v.y;
        Bs[((b_vec % 2) * 4 + b_row * 8 + 2) * 16 + b_vec / 2] = v.z;
        Bs[((b_vec % 2) * 4 + b_row * 8 + 3) * 16 + b_vec / 2] = v.w;
        __syncthreads();
        A += BK;
        B += BK * N;
#pragma unroll UNROLL
        for (unsigned k = 0; k < BK; ++k) {
            for (unsigned i = 0; i < TM; ++i) {
                a[i] = As[k * BM + thread_row * TM + i];
            }
            for (unsigned j = 0; j < TN; ++j) {
                b[j] = Bs[(k * 8 + j) * 16 + thread_col];
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
        for (unsigned j = 0; j < TN; j += 4) {
            update4(&C[(thread_row * TM + i) * N + thread_col * TN + j], &acc[i * TN + j], alpha, beta);
        }
    }
}

// Bs with five unused words after each row.
template <int BM, int BN, int BK, int TM, int TN, int UNROLL>
__global__ void bank_extracol(int M, int N, int K, float alpha, const float* A, const float* B, float beta,
                              float* C) {
    constexpr int threads = BM * BN / (TM * TN);
    constexpr int pitch = BN + 5;
    static_assert(BM * BK == 4 * threads && BN * BK == 4 * threads, "one 16-byte load of A and B per thread");
    __shared__ float As[BM * BK];
    __shared__ float Bs[BK * pitch];
    const unsigned thread_row = threadIdx.x / (BN / TN);
    const unsigned thread_col = threadIdx.x % (BN / TN);
    const unsigned a_row = threadIdx.x / (BK / 4);
    const unsigned a_vec = threadIdx.x % (BK / 4);
    const unsigned b_row = threadIdx.x / (BN / 4);
    const unsigned b_vec = threadIdx.x % (BN / 4);
    A += blockIdx.y * BM * K;
    B += blockIdx.x * BN;
    C += blockIdx.y * BM * N + blockIdx.x * BN;

    float acc[TM * TN] = {0.0f};
    float a[TM] = {0.0f};
    float b[TN] = {0.0f};
    for (unsigned tile = 0; tile < K; tile += BK) {
        store_transposed<BM>(As, a_row, a_vec, load4(&A[a_row * K + a_vec * 4]));
        const float4 v = load4(&B[b_row * N + b_vec * 4]);
        Bs[b_row * pitch + b_vec * 4 + 0] = v.x;
        Bs[b_row * pitch + b_vec * 4 + 1] = v.y;
        Bs[b_row * pitch + b_vec * 4 + 2] = v.z;
        Bs[b_row * pitch + b_vec * 4 + 3] = v.w;
        __syncthreads();
        A += BK;
        B += BK * N;
#pragma unroll UNROLL
        for (unsigned k = 0; k < BK; ++k) {
            for (unsigned i = 0; i < TM; ++i) {
                a[i] = As[k * BM + thread_row * TM + i];
            }
            for (unsigned j = 0; j < TN; ++j) {
                b[j] = Bs[k * pitch + thread_col * TN + j];
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
        for (unsigned j = 0; j < TN; j += 4) {
            update4(&C[(thread_row * TM + i) * N + thread_col * TN + j], &acc[i * TN + j], alpha, beta);
        }
    }
}

}  // namespace gpumodel::kernels
