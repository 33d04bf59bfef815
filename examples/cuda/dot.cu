// Dot product in double precision: shuffles within a warp, one atomic per warp.
__global__ void dot_warps(const double* a, const double* b, unsigned long long* bits, int n) {
    double sum = 0.0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        sum = fma(a[i], b[i], sum);
    }
    for (int d = 16; d > 0; d /= 2) {
        sum += __shfl_down_sync(0xffffffffu, sum, d);
    }
    if (threadIdx.x % 32 == 0) {
        atomicMax(bits, static_cast<unsigned long long>(__double_as_longlong(sum)));
    }
}
