// One result per thread: naive, coalesced, smem. C = alpha*A*B + beta*C, row-major, fp32; A is MxK,
// B is KxN. naive and coalesced check their bounds; smem needs M, N, K to be multiples of BS.
// UNROLL: 0 leaves the k loop to the compiler, N unrolls it by N.
#pragma once

namespace gpumodel::kernels {

// 32x32 threads; a warp walks down a column of C.
template <int UNROLL>
__global__ void naive(int M, int N, int K, float alpha, const float* A, const float* B, float beta,
                      float* C) {
    const unsigned row = blockIdx.x * 32 + threadIdx.x;
    const unsigned col = blockIdx.y * 32 + threadIdx.y;
    if (row < M && col < N) {
        float sum = 0.0f;
#pragma unroll UNROLL
        for (unsigned k = 0; k < K; ++k) {
            sum += A[row * K + k] * B[k * N + col];
        }
        C[row * N + col] = alpha * sum + beta * C[row * N + col];
    }
}

// 1024 threads in one dimension; a warp walks along a row of C. Signed throughout: the compiler
// may take it that no index overflows, keeps 64-bit pointers and unrolls by 16; with unsigned indices it adds
// up 32-bit ones anew for every load (1.75 times the instructions on sm_90).
template <int UNROLL>
__global__ void coalesced(int M, int N, int K, float alpha, const float* A, const float* B, float beta,
                          float* C) {
    const int row = blockIdx.x * 32 + threadIdx.x / 32;
    const int col = blockIdx.y * 32 + threadIdx.x % 32;
    if (row < M && col < N) {
        float sum = 0.0f;
#pragma unroll UNROLL
        for (int k = 0; k < K; ++k) {
            sum += A[row * K + k] * B[k * N + col];
        }
        C[row * N + col] = alpha * sum + beta * C[row * N + col];
    }
}

// BS*BS threads, grid (M/BS, N/BS).
template <int BS, int UNROLL>
__global__ void smem(int M, int N, int K, float alpha, const float* A, const float* B, float beta, float* C) {
    __shared__ float As[BS * BS];
    __shared__ float Bs[BS * BS];
    const unsigned r = threadIdx.x / BS;
    const unsigned c = threadIdx.x % BS;
    A += blockIdx.x * BS * K;
    B += blockIdx.y * BS;
    C += blockIdx.x * BS * N + blockIdx.y * BS;

    float sum = 0.0f;
    for (int tile = 0; tile < K; tile += BS) {
        As[r * BS + c] = A[r * K + c];
        Bs[r * BS + c] = B[r * N + c];
        __syncthreads();
        A += BS;
        B += BS * N;
#pragma unroll UNROLL
        for (int k = 0; k < BS; ++k) {
            sum += As[r * BS + k] * Bs[k * BS + c];
        }
        __syncthreads();
    }
    C[r * N + c] = alpha * sum + beta * C[r * N + c];
}

}  // namespace gpumodel::kernels
