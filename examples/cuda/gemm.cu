// C = A*B with 16 x 16 tiles in shared memory, any n.
template <int TILE>
__global__ void small_gemm(const float* A, const float* B, float* C, int n) {
    __shared__ float a[TILE][TILE];
    __shared__ float b[TILE][TILE];
    const int row = blockIdx.y * TILE + threadIdx.y;
    const int col = blockIdx.x * TILE + threadIdx.x;
    float sum = 0.0f;
    for (int tile = 0; tile < n; tile += TILE) {
        a[threadIdx.y][threadIdx.x] = row < n && tile + threadIdx.x < n ? A[row * n + tile + threadIdx.x] : 0.0f;
        b[threadIdx.y][threadIdx.x] = col < n && tile + threadIdx.y < n ? B[(tile + threadIdx.y) * n + col] : 0.0f;
        __syncthreads();
#pragma unroll
        for (int k = 0; k < TILE; ++k) {
            sum += a[threadIdx.y][k] * b[k][threadIdx.x];
        }
        __syncthreads();
    }
    if (row < n && col < n) {
        C[row * n + col] = sum;
    }
}
template __global__ void small_gemm<16>(const float*, const float*, float*, int);
