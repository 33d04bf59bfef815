// A product's loop whose tiles come from L1 or L2, from what all SMs read or from the SM's own data: what the loads of a tile
// add to a trip, and whether that many SMs ask at once matters.
//
//   nvcc -std=c++17 -O3 -arch=sm_90 -o product_tiles validate/microbench/product_tiles/product_tiles.cu
//   product_tiles > validate/data/h200_sxm_product_tiles.csv      median of five launches; a second
//
// kernel,blocks,shared,trips,tiles,own,cycles
//   blocks of 256 threads (264: two on each SM) whose `shared` bytes leave L1 28 KiB; each trip loads a tile of 8 KiB, stores it to
//   shared memory and multiplies it, 128 x 128 x 8. plain: loaded where it is stored; ahead: behind the barrier before. rows: A in
//   whole lines; pieces: in 32 bytes of a row each. The loop goes through `tiles` of them: 1 stays in L1, 8 and more come from L2.
//   own: each block has its own. cycles: of the SM's clock, from its first warp's begin to its last one's end, the median SM
#include <cuda_runtime.h>
#include <algorithm>
#include <cstdio>
#include <vector>
#include "../standalone.cuh"
namespace {
struct Mark { unsigned sm; long long begin, end; };
constexpr int side = 8, depth = 8, width = 128;
template <int ROWS>
__device__ void multiply(float (&sums)[ROWS][side], const float (&a)[side], const float (&b)[side]) {
#pragma unroll
    for (int i = 0; i < ROWS; ++i)
#pragma unroll
        for (int j = 0; j < side; ++j) asm volatile("fma.rn.f32 %0, %1, %2, %0;" : "+f"(sums[i][j]) : "f"(a[i]), "f"(b[j]));
}
__device__ void read(float (&f)[side], unsigned row) {
    asm volatile("ld.shared.v4.f32 {%0, %1, %2, %3}, [%4];" : "=f"(f[0]), "=f"(f[1]), "=f"(f[2]), "=f"(f[3]) : "r"(row));
    asm volatile("ld.shared.v4.f32 {%0, %1, %2, %3}, [%4];" : "=f"(f[4]), "=f"(f[5]), "=f"(f[6]), "=f"(f[7]) : "r"(row + 256));
}
// 256 threads; per trip: a tile of A (8 rows of 128) and of B; AHEAD: next tile's loads issued before the steps
template <bool AHEAD, bool PIECES>
__device__ void loop(Mark* marks, float* out, const float* from, int trips, int tiles, int stride) {
    extern __shared__ float rows[];
    const int t = threadIdx.x, lane = t % 32, warp = t / 32;
    // A: 128 rows of 8 floats at a pitch of `stride` floats (pieces of 32 bytes) or whole rows of 128; B: whole rows
    const float* a_at = from + (size_t)blockIdx.x * tiles * 2048 + (PIECES ? (t / 2) * (8 * tiles) + t % 2 * 4 : t * 4);
    const float* b_at = from + (size_t)blockIdx.x * tiles * 2048 * 1 + tiles * 1024 + t * 4;
    if (stride == 0) { a_at -= (size_t)blockIdx.x * tiles * 2048; b_at -= (size_t)blockIdx.x * tiles * 2048; }
    const auto base = static_cast<unsigned>(__cvta_generic_to_shared(rows));
    const unsigned own_a = base + (warp / 2 * 32 + lane / 8 * 4) * 4 , own_b = base + 4096 + (warp % 2 * 64 + lane % 8 * 4) * 4;
    float sums[side][side] = {};
    float4 a = {}, b = {};
    int tile = 0;
    auto load = [&] {
        const int step = PIECES ? tile * 8 : tile * 1024;
        asm volatile("ld.global.v4.f32 {%0,%1,%2,%3}, [%4];" : "=f"(a.x), "=f"(a.y), "=f"(a.z), "=f"(a.w) : "l"(a_at + step));
        asm volatile("ld.global.v4.f32 {%0,%1,%2,%3}, [%4];" : "=f"(b.x), "=f"(b.y), "=f"(b.z), "=f"(b.w) : "l"(b_at + tile * 1024));
        tile = tile + 1 == tiles ? 0 : tile + 1;
    };
    if (AHEAD) load();
    __syncthreads();
    const long long begin = clock64();
#pragma unroll 1
    for (int k = 0; k < trips; ++k) {
        if (!AHEAD) load();
        if (PIECES) {
            const unsigned at = base + (t % 2 * 4 * width + t / 2) * 4;
            asm volatile("st.shared.f32 [%0], %1;" :: "r"(at), "f"(a.x)); asm volatile("st.shared.f32 [%0], %1;" :: "r"(at + 512), "f"(a.y));
            asm volatile("st.shared.f32 [%0], %1;" :: "r"(at + 1024), "f"(a.z)); asm volatile("st.shared.f32 [%0], %1;" :: "r"(at + 1536), "f"(a.w));
        } else asm volatile("st.shared.v4.f32 [%0], {%1,%2,%3,%4};" :: "r"(base + t * 16), "f"(a.x), "f"(a.y), "f"(a.z), "f"(a.w));
        asm volatile("st.shared.v4.f32 [%0], {%1,%2,%3,%4};" :: "r"(base + 4096 + t * 16), "f"(b.x), "f"(b.y), "f"(b.z), "f"(b.w));
        __syncthreads();
        if (AHEAD) load();
#pragma unroll
        for (int s = 0; s < depth; ++s) {
            float x[side], y[side];
            read(x, own_a + s * 512);
            read(y, own_b + s * 512);
            multiply(sums, x, y);
        }
        __syncthreads();
    }
    const long long end = clock64();
    float sum = 0;
    for (auto& row : sums) for (float s : row) sum += s;
    out[blockIdx.x * blockDim.x + t] = sum + a.x + b.x;
    if (lane == 0) marks[(blockIdx.x * blockDim.x + t) / 32] = {sm_number(), begin, end};
}
#define K(N, A, P) __global__ void __launch_bounds__(256) N(Mark* m, float* o, const float* f, int trips, int tiles, int stride) { loop<A, P>(m, o, f, trips, tiles, stride); }
K(plain_rows, false, false) K(plain_pieces, false, true) K(ahead_rows, true, false) K(ahead_pieces, true, true)
Mark* marks; float *out, *from; int sms;
}
int main() {
    sms = 132;
    check(cudaMalloc(&marks, sizeof(Mark) * 132 * 4 * 8)); check(cudaMalloc(&out, 132 * 4 * 256 * 4)); check(cudaMalloc(&from, 64 << 20)); check(cudaMemset(from, 0, 64 << 20));
    std::printf("kernel,blocks,shared,trips,tiles,own,cycles\n");
    auto m = [&](const char* n, auto k) {
        check(cudaFuncSetAttribute(k, cudaFuncAttributeMaxDynamicSharedMemorySize, 227 * 1024));
        for (int blocks : {1, 132, 264}) for (int tiles : {1, 8, 14, 64}) for (int own : {0, 1}) {
            if (tiles == 1 && own == 1) continue;
            if (blocks == 1 && own == 1) continue;
            if (tiles > 14 && own) continue;
            const int shared = blocks == 264 ? 113 * 1024 : 226 * 1024, trips = 448;
            std::vector<double> c;
            for (int r = 0; r < 6; ++r) {
                k<<<blocks, 256, shared>>>(marks, out, from, trips, tiles, own);
                check(cudaDeviceSynchronize());
                std::vector<Mark> got(blocks * 8);
                check(cudaMemcpy(got.data(), marks, got.size() * sizeof(Mark), cudaMemcpyDeviceToHost));
                std::vector<long long> b(132, -1), e(132, 0), all;
                for (auto& g : got) { b[g.sm] = b[g.sm] < 0 ? g.begin : std::min(b[g.sm], g.begin); e[g.sm] = std::max(e[g.sm], g.end); }
                for (int s = 0; s < 132; ++s) if (b[s] >= 0) all.push_back(e[s] - b[s]);
                std::sort(all.begin(), all.end());
                if (r) c.push_back(double(all[all.size() / 2]));
            }
            std::sort(c.begin(), c.end());
            std::printf("%s,%d,%d,%d,%d,%d,%.0f\n", n, blocks, shared, trips, tiles, own, c[2]);
        }
    };
    m("plain_rows", plain_rows); m("plain_pieces", plain_pieces); m("ahead_rows", ahead_rows); m("ahead_pieces", ahead_pieces);
}
