// Softmax of one row per block: maximum and sum by shuffles and shared memory, exponentials by the fast unit.
__device__ float block_maximum(float value, float* shared) {
    for (int d = 16; d > 0; d /= 2) {
        value = fmaxf(value, __shfl_xor_sync(0xffffffffu, value, d));
    }
    if (threadIdx.x % 32 == 0) {
        shared[threadIdx.x / 32] = value;
    }
    __syncthreads();
    value = shared[0];
    for (int w = 1; w < blockDim.x / 32; ++w) {
        value = fmaxf(value, shared[w]);
    }
    __syncthreads();
    return value;
}

__device__ float block_sum(float value, float* shared) {
    for (int d = 16; d > 0; d /= 2) {
        value += __shfl_xor_sync(0xffffffffu, value, d);
    }
    if (threadIdx.x % 32 == 0) {
        shared[threadIdx.x / 32] = value;
    }
    __syncthreads();
    value = 0.0f;
    for (int w = 0; w < blockDim.x / 32; ++w) {
        value += shared[w];
    }
    __syncthreads();
    return value;
}

__global__ void softmax_rows(const float* in, float* out, int columns) {
    __shared__ float shared[32];
    const float* row = in + static_cast<size_t>(blockIdx.x) * columns;
    float largest = -INFINITY;
    for (int i = threadIdx.x; i < columns; i += blockDim.x) {
        largest = fmaxf(largest, row[i]);
    }
    largest = block_maximum(largest, shared);
    float sum = 0.0f;
    for (int i = threadIdx.x; i < columns; i += blockDim.x) {
        sum += __expf(row[i] - largest);
    }
    sum = block_sum(sum, shared);
    for (int i = threadIdx.x; i < columns; i += blockDim.x) {
        out[static_cast<size_t>(blockIdx.x) * columns + i] = __expf(row[i] - largest) / sum;
    }
}
