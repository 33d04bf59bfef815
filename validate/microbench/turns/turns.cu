// Who goes on when of the warps of a scheduler that load from shared memory and then multiply, and how two blocks share an SM.
//
//   nvcc -std=c++17 -O3 -arch=sm_90 -o turns validate/microbench/turns/turns.cu
//   turns > turns.txt      a line per warp; milliseconds
//
// Lines: kind, blocks per SM, warps per scheduler, block, warp: marks m0 m1 m2 m3 of each step, less the first of the SM.
//   m0 the step begins, m1 its five loads are issued, m2 its first product is done, m3 all 64 are
// sat: products that read both register banks every cycle, 16 x 4 outer products; free: one factor stays, 1.6 reads a product.
// *_late: the last of the loads stands in the middle of the products.
#include <cstdio>
#include <vector>
#include <algorithm>
#include <cuda_runtime.h>
constexpr int STEPS = 24, MARKS = 4 * STEPS;
enum { SAT, SAT_LATE, FREE, FREE_LATE };
__device__ __forceinline__ unsigned now() { unsigned t; asm volatile("mov.u32 %0, %%clock;" : "=r"(t)::"memory"); return t; }
__device__ __forceinline__ void mad(float& a, float b, float c) { asm volatile("fma.rn.f32 %0, %1, %2, %0;" : "+f"(a) : "f"(b), "f"(c)); }
__device__ __forceinline__ void lds(float4& q, unsigned at) {
    asm volatile("ld.volatile.shared.v4.f32 {%0, %1, %2, %3}, [%4];" : "=f"(q.x), "=f"(q.y), "=f"(q.z), "=f"(q.w) : "r"(at));
}
template <int KIND>
__global__ void __launch_bounds__(512) turns(float* out, unsigned* marks, float x) {
    __shared__ float4 room[512];
    __shared__ unsigned kept[16 * MARKS];
    for (int i = threadIdx.x; i < 512; i += blockDim.x) room[i] = make_float4(x, x, x, x);
    for (int i = threadIdx.x; i < 16 * MARKS; i += blockDim.x) kept[i] = 0;
    const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    float acc[64];
    for (int i = 0; i < 64; ++i) acc[i] = x * i + threadIdx.x;
    const auto base = unsigned(__cvta_generic_to_shared(room));
    const unsigned a_at = base + lane / 4 * 16, b_at = base + 4096 + lane % 4 * 16;
    const auto to = unsigned(__cvta_generic_to_shared(kept + warp * MARKS));
    __syncthreads();
    const unsigned start = (now() & ~16383u) + 32768u;  // the SM's blocks begin together
    while (int(now() - start) < 0) {}
#pragma unroll 1
    for (int s = 0; s < STEPS; ++s) {
        float4 b, a[4];
        const unsigned m0 = now();
        const unsigned off = (s & 3) * 512;
        lds(b, b_at + off);
#pragma unroll
        for (int c = 0; c < 4; ++c)
            if (c < 3 || KIND == SAT || KIND == FREE) lds(a[c], a_at + off + 128 * c);
        const unsigned m1 = now();
        unsigned m2 = 0;
        const float bs[4] = {b.x, b.y, b.z, b.w};
#pragma unroll
        for (int c = 0; c < 4; ++c) {
            if (c == 1 && (KIND == SAT_LATE || KIND == FREE_LATE)) lds(a[3], a_at + off + 384);
            const float as[4] = {a[c].x, a[c].y, a[c].z, a[c].w};
#pragma unroll
            for (int i = 0; i < 4; ++i)
#pragma unroll
                for (int j = 0; j < 4; ++j) {
                    if (KIND == SAT || KIND == SAT_LATE) mad(acc[c * 16 + i * 4 + j], bs[j], as[i]);
                    else mad(acc[c * 16 + i * 4 + j], as[i], bs[0]);
                    if (c == 0 && i == 0 && j == 0) m2 = now();
                }
        }
        const unsigned m3 = now();
        asm volatile("st.shared.v4.u32 [%0], {%1, %2, %3, %4};" ::"r"(to + 16 * s), "r"(m0), "r"(m1), "r"(m2), "r"(m3));
    }
    __syncthreads();
    float sum = 0;
    for (float v : acc) sum += v;
    out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
    unsigned sm;
    asm volatile("mov.u32 %0, %%smid;" : "=r"(sm));
    if (threadIdx.x == 0) marks[blockIdx.x * (16 * MARKS + 1)] = sm;
    for (int i = threadIdx.x; i < 16 * MARKS; i += blockDim.x) marks[blockIdx.x * (16 * MARKS + 1) + 1 + i] = kept[i];
}
int main() {
    float* out; unsigned* marks;
    const int words = 16 * MARKS + 1;
    cudaMalloc(&out, 4 << 20); cudaMalloc(&marks, 512 * words * 4);
    void (*k[])(float*, unsigned*, float) = {turns<SAT>, turns<SAT_LATE>, turns<FREE>, turns<FREE_LATE>};
    const char* names[] = {"sat", "sat_late", "free", "free_late"};
    cudaDeviceProp p; cudaGetDeviceProperties(&p, 0);
    for (int kind = 0; kind < 4; ++kind)
        for (int per_sm : {1, 2})
            for (int w : {1, 2, 4}) {
                if (per_sm * w > 4) continue;
                const int grid = p.multiProcessorCount * per_sm;
                const int extra = per_sm == 1 ? 120 * 1024 : 80 * 1024;  // so many blocks and no more fit
                cudaFuncSetAttribute(k[kind], cudaFuncAttributeMaxDynamicSharedMemorySize, extra);
                for (int r = 0; r < 3; ++r) { k[kind]<<<grid, w * 128, extra>>>(out, marks, 0.5f); cudaDeviceSynchronize(); }
                std::vector<unsigned> m(size_t(grid) * words);
                cudaMemcpy(m.data(), marks, m.size() * 4, cudaMemcpyDeviceToHost);
                unsigned first = ~0u;
                for (int b = 0; b < grid; ++b) if (m[size_t(b) * words] == m[0]) for (int v = 0; v < 4 * w; ++v) first = std::min(first, m[size_t(b) * words + 1 + v * MARKS]);
                for (int b = 0; b < grid; ++b) if (m[size_t(b) * words] == m[0])
                    for (int v = 0; v < 4 * w; ++v) {
                        printf("%s blocks %d warps %d, block %d warp %d:", names[kind], per_sm, w, b, v);
                        for (int g = 0; g < MARKS; ++g) printf(" %u", m[size_t(b) * words + 1 + v * MARKS + g] - first);
                        printf("\n");
                    }
            }
    printf("%s\n", cudaGetErrorString(cudaGetLastError()));
}
