// Inclusive scan of each block's 256 elements: shuffles within warps, shared memory between them.
__global__ void scan_blocks(const int* in, int* out) {
    __shared__ int warp_sums[8];
    const int lane = threadIdx.x % 32;
    const int warp = threadIdx.x / 32;
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    int value = in[i];
    for (int distance = 1; distance < 32; distance *= 2) {
        const int left = __shfl_up_sync(0xffffffffu, value, distance);
        value += lane >= distance ? left : 0;
    }
    if (lane == 31) {
        warp_sums[warp] = value;
    }
    __syncthreads();
    int before = 0;
    for (int w = 0; w < warp; ++w) {
        before += warp_sums[w];
    }
    out[i] = value + before;
}
