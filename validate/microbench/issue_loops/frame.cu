// The frame of a timed loop: its body is overwritten by make_loops.py. Keeps 112 registers busy so that bodies may
// use registers up to R118, and R5, R6, R62, R63, UR4, UR5 and P0 for itself.
extern "C" __global__ void __launch_bounds__(512, 1) body(float* out, long long* clocks, int rounds, float x) {
    constexpr int values = 112;
    extern __shared__ float words[];
    float v[values];
    words[threadIdx.x] = x;
    __syncthreads();
    const unsigned base = unsigned(__cvta_generic_to_shared(words)) + (threadIdx.x % 32) * 16;
#pragma unroll
    for (int i = 0; i < values; ++i) v[i] = x * i + threadIdx.x;
    const long long begin = clock64();
#pragma unroll 1
    for (int r = 0; r < rounds; ++r) {
#pragma unroll
        for (int i = 0; i < 320; ++i) {
            if (i % 64 == 0) {
                asm volatile("ld.shared.f32 %0, [%1];" : "=f"(v[i % values]) : "r"(base));
            } else {
                asm volatile("fma.rn.f32 %0, %1, %2, %0;"
                             : "+f"(v[i % values])
                             : "f"(v[(i * 7 + 3) % values]), "f"(v[(i * 11 + 5) % values]));
            }
        }
    }
    const long long end = clock64();
    float sum = 0;
#pragma unroll
    for (int i = 0; i < values; ++i) sum += v[i];
    out[threadIdx.x] = sum;
    if (threadIdx.x % 32 == 0) {
        clocks[threadIdx.x / 32 * 2] = begin;
        clocks[threadIdx.x / 32 * 2 + 1] = end;
    }
}
