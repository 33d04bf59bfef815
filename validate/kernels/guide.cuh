// The programming guides' examples: one-tile products (K = 32), copies, transposes. fp32, row-major; no
// bounds checks, so sizes are multiples of the tile or of the block.
// UNROLL: 0 leaves the loop over k (the rows of a thread, in the transposes) to the compiler, N unrolls it by
// N.
#pragma once

namespace gpumodel::kernels {

inline constexpr int guide_tile = 32;

// C = A*B with A Mx32, B 32xN; 32x32 threads, grid (N/32, M/32).
template <int UNROLL>
__global__ void ab_simple(const float* A, const float* B, float* C, int N) {
    const unsigned row = blockIdx.y * guide_tile + threadIdx.y;
    const unsigned col = blockIdx.x * guide_tile + threadIdx.x;
    float sum = 0.0f;
#pragma unroll UNROLL
    for (int k = 0; k < guide_tile; ++k) {
        sum += A[row * guide_tile + k] * B[k * N + col];
    }
    C[row * N + col] = sum;
}

// The tile of A goes through shared memory; a warp reads only what it wrote, so a warp barrier does.
template <int UNROLL>
__global__ void ab_coalesced(const float* A, const float* B, float* C, int N) {
    __shared__ float a_tile[guide_tile][guide_tile];
    const unsigned row = blockIdx.y * guide_tile + threadIdx.y;
    const unsigned col = blockIdx.x * guide_tile + threadIdx.x;
    a_tile[threadIdx.y][threadIdx.x] = A[row * guide_tile + threadIdx.x];
    __syncwarp();
    float sum = 0.0f;
#pragma unroll UNROLL
    for (int k = 0; k < guide_tile; ++k) {
        sum += a_tile[threadIdx.y][k] * B[k * N + col];
    }
    C[row * N + col] = sum;
}

// Both tiles through shared memory.
template <int UNROLL>
__global__ void ab_shared(const float* A, const float* B, float* C, int N) {
    __shared__ float a_tile[guide_tile][guide_tile];
    __shared__ float b_tile[guide_tile][guide_tile];
    const unsigned row = blockIdx.y * guide_tile + threadIdx.y;
    const unsigned col = blockIdx.x * guide_tile + threadIdx.x;
    a_tile[threadIdx.y][threadIdx.x] = A[row * guide_tile + threadIdx.x];
    b_tile[threadIdx.y][threadIdx.x] = B[threadIdx.y * N + col];
    __syncthreads();
    float sum = 0.0f;
#pragma unroll UNROLL
    for (int k = 0; k < guide_tile; ++k) {
        sum += a_tile[threadIdx.y][k] * b_tile[k][threadIdx.x];
    }
    C[row * N + col] = sum;
}

// C = A*transpose(A) with A Mx32, C MxM; 32x32 threads, grid (M/32, M/32).
template <int UNROLL>
__global__ void aat_simple(const float* A, float* C, int M) {
    const unsigned row = blockIdx.y * guide_tile + threadIdx.y;
    const unsigned col = blockIdx.x * guide_tile + threadIdx.x;
    float sum = 0.0f;
#pragma unroll UNROLL
    for (int k = 0; k < guide_tile; ++k) {
        sum += A[row * guide_tile + k] * A[col * guide_tile + k];
    }
    C[row * M + col] = sum;
}

// The second operand through a transposed shared tile of the given pitch.
template <int PITCH, int UNROLL>
__device__ __forceinline__ void aat_tiled(const float* A, float* C, int M) {
    __shared__ float a_tile[guide_tile][guide_tile];
    __shared__ float t_tile[guide_tile][PITCH];
    const unsigned row = blockIdx.y * guide_tile + threadIdx.y;
    const unsigned col = blockIdx.x * guide_tile + threadIdx.x;
    a_tile[threadIdx.y][threadIdx.x] = A[row * guide_tile + threadIdx.x];
    t_tile[threadIdx.x][threadIdx.y] = A[(blockIdx.x * guide_tile + threadIdx.y) * guide_tile + threadIdx.x];
    __syncthreads();
    float sum = 0.0f;
#pragma unroll UNROLL
    for (int k = 0; k < guide_tile; ++k) {
        sum += a_tile[threadIdx.y][k] * t_tile[k][threadIdx.x];
    }
    C[row * M + col] = sum;
}

template <int UNROLL>
__global__ void aat_coalesced(const float* A, float* C, int M) {
    aat_tiled<guide_tile, UNROLL>(A, C, M);
}

template <int UNROLL>
__global__ void aat_padded(const float* A, float* C, int M) {
    aat_tiled<guide_tile + 1, UNROLL>(A, C, M);
}

// 256 threads; both arrays hold (grid*256 + offset) words.
template <class Word>
__global__ void offset_copy(Word* out, const Word* in, int offset) {
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x + offset;
    out[i] = in[i];
}

// 256 threads; both arrays hold grid*256*stride words.
template <class Word>
__global__ void stride_copy(Word* out, const Word* in, int stride) {
    const unsigned i = (blockIdx.x * blockDim.x + threadIdx.x) * stride;
    out[i] = in[i];
}

inline constexpr int transpose_rows = 8;  // threads in y; four rows of a tile per thread

// out (NxM) = transpose(in (MxN)); 32x8 threads, grid (N/32, M/32).
template <int UNROLL>
__global__ void transpose_naive(float* out, const float* in, int M, int N) {
    const unsigned col = blockIdx.x * guide_tile + threadIdx.x;
    const unsigned row = blockIdx.y * guide_tile + threadIdx.y;
#pragma unroll UNROLL
    for (int r = 0; r < guide_tile; r += transpose_rows) {
        out[col * M + row + r] = in[(row + r) * N + col];
    }
}

template <int PITCH, int UNROLL>
__device__ __forceinline__ void transpose_tiled(float* out, const float* in, int M, int N) {
    __shared__ float tile[guide_tile][PITCH];
    const unsigned in_col = blockIdx.x * guide_tile + threadIdx.x;
    const unsigned in_row = blockIdx.y * guide_tile + threadIdx.y;
#pragma unroll UNROLL
    for (int r = 0; r < guide_tile; r += transpose_rows) {
        tile[threadIdx.y + r][threadIdx.x] = in[(in_row + r) * N + in_col];
    }
    __syncthreads();
    const unsigned out_col = blockIdx.y * guide_tile + threadIdx.x;
    const unsigned out_row = blockIdx.x * guide_tile + threadIdx.y;
#pragma unroll UNROLL
    for (int r = 0; r < guide_tile; r += transpose_rows) {
        out[(out_row + r) * M + out_col] = tile[threadIdx.x][threadIdx.y + r];
    }
}

template <int UNROLL>
__global__ void transpose_shared(float* out, const float* in, int M, int N) {
    transpose_tiled<guide_tile, UNROLL>(out, in, M, N);
}

template <int UNROLL>
__global__ void transpose_padded(float* out, const float* in, int M, int N) {
    transpose_tiled<guide_tile + 1, UNROLL>(out, in, M, N);
}

}  // namespace gpumodel::kernels
