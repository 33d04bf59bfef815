// Loops of dependent arithmetic: chains of one kind, of several kinds and with a branch inside.
#pragma once

namespace gpumodel::microbench {

extern "C" __global__ void chain_ffma(float* out, int trips, float a) {
    float x = threadIdx.x;
    for (int i = 0; i < trips; ++i)
        x = x * a + x;
    out[blockIdx.x * blockDim.x + threadIdx.x] = x;
}

extern "C" __global__ void chain_ffma_rolled(float* out, int trips, float a) {
    float x = threadIdx.x;
#pragma unroll 1
    for (int i = 0; i < trips; ++i)
        x = x * a + x;
    out[blockIdx.x * blockDim.x + threadIdx.x] = x;
}

extern "C" __global__ void chain_imad(unsigned* out, int trips, unsigned a) {
    unsigned x = threadIdx.x;
    for (int i = 0; i < trips; ++i)
        x = x * a + 12345u;
    out[blockIdx.x * blockDim.x + threadIdx.x] = x;
}

extern "C" __global__ void chain_imad_rolled(unsigned* out, int trips, unsigned a) {
    unsigned x = threadIdx.x;
#pragma unroll 1
    for (int i = 0; i < trips; ++i)
        x = x * a + 12345u;
    out[blockIdx.x * blockDim.x + threadIdx.x] = x;
}

// 64-bit multiply and add.
extern "C" __global__ void chain_imad64(unsigned long long* out, int trips) {
    unsigned long long x = threadIdx.x;
    for (int i = 0; i < trips; ++i)
        x = x * 6364136223846793005ull + 1442695040888963407ull;
    out[blockIdx.x * blockDim.x + threadIdx.x] = x;
}

// Shifts and exclusive ors.
extern "C" __global__ void chain_xorshift(unsigned* out, int trips) {
    unsigned x = threadIdx.x + 1;
    for (int i = 0; i < trips; ++i) {
        x ^= x << 13;
        x ^= x >> 17;
        x ^= x << 5;
    }
    out[blockIdx.x * blockDim.x + threadIdx.x] = x;
}

// Two multiplications that an addition waits for, compared and left by a branch that is never taken.
extern "C" __global__ void chain_break(float* out, int trips, float a, float limit) {
    float x = 0.25f, y = 0;
    int i = 0;
#pragma unroll 1
    for (; i < trips; ++i) {
        const float xx = x * x;
        if (xx > limit)
            break;
        x = xx * 0.5f + a;
        y += xx;
    }
    out[blockIdx.x * blockDim.x + threadIdx.x] = x + y + i;
}

// The same, as the compiler unrolls it.
extern "C" __global__ void chain_break_unrolled(float* out, int trips, float a, float limit) {
    float x = 0.25f, y = 0;
    int i = 0;
#pragma unroll 4
    for (; i < trips; ++i) {
        const float xx = x * x;
        if (xx > limit)
            break;
        x = xx * 0.5f + a;
        y += xx;
    }
    out[blockIdx.x * blockDim.x + threadIdx.x] = x + y + i;
}

// A branch over a few instructions that half of the warps take.
extern "C" __global__ void chain_if(float* out, int trips, float a) {
    float x = threadIdx.x;
    const int warp = threadIdx.x / 32;
#pragma unroll 1
    for (int i = 0; i < trips; ++i) {
        if (((i + warp) & 1) != 0) {
            x = x * a + 1;
            x = sqrtf(x);
        } else {
            x = x * a + x;
        }
    }
    out[blockIdx.x * blockDim.x + threadIdx.x] = x;
}

}  // namespace gpumodel::microbench
