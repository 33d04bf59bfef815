// Latency of shared loads alone and in bursts, by width and by how lanes share words.
//
//   nvcc -std=c++17 -O3 -arch=sm_90 -o shared_bursts validate/microbench/shared_bursts/shared_bursts.cu
//   shared_bursts > validate/data/h200_sxm_shared_bursts.csv      median of five launches; a second
//
// kernel,pattern,threads,trips,cycles
//   WIDTH_N: 4 * `trips` times N loads of WIDTH bytes a lane in a row, whose words are or'ed into the next ones' address.
//   pattern: the word of lane l: 0 l, 1 l % 8, 2 l / 8, 3 the same for all, 4 l / 16, 5 l / 4, 6 l / 2, 7 l % 2, 8 l % 4,
//   9 l % 16. One block of `threads` on each SM. cycles: as in product_tiles
#include <cuda_runtime.h>
#include <algorithm>
#include <cstdio>
#include <vector>
#include "../standalone.cuh"
namespace {
struct Mark { unsigned sm; long long begin, end; };
template <int WIDTH>
__device__ __forceinline__ unsigned read(unsigned at) {
    unsigned a, b, c, d;
    if constexpr (WIDTH == 16) { asm volatile("ld.shared.v4.u32 {%0, %1, %2, %3}, [%4];" : "=r"(a), "=r"(b), "=r"(c), "=r"(d) : "r"(at)); return (a | b) | (c | d); }
    else if constexpr (WIDTH == 8) { asm volatile("ld.shared.v2.u32 {%0, %1}, [%2];" : "=r"(a), "=r"(b) : "r"(at)); return a | b; }
    else { asm volatile("ld.shared.u32 %0, [%1];" : "=r"(a) : "r"(at)); return a; }
}
// chains of N loads in a row (independent), then all their words are or'ed into the next address
template <int WIDTH, int N>
__global__ void __launch_bounds__(512) chain(Mark* marks, unsigned* out, int trips, int pattern) {
    __shared__ unsigned rows[8192];
    const int t = threadIdx.x, lane = t % 32;
    for (int i = t; i < 8192; i += blockDim.x) rows[i] = 0;
    __syncthreads();
    int place = 0;
    switch (pattern) { case 0: place = lane; break; case 1: place = lane % 8; break; case 2: place = lane / 8; break; case 3: place = 0; break; case 4: place = lane / 16; break;
        case 5: place = lane / 4; break; case 6: place = lane / 2; break; case 7: place = lane % 2; break; case 8: place = lane % 4; break; case 9: place = lane % 16; break; }
    const unsigned base = static_cast<unsigned>(__cvta_generic_to_shared(rows)) + place * WIDTH;
    unsigned at = base;
    const long long begin = clock64();
#pragma unroll 1
    for (int k = 0; k < trips; ++k) {
#pragma unroll
        for (int r = 0; r < 4; ++r) {
            unsigned v[N];
#pragma unroll
            for (int i = 0; i < N; ++i) v[i] = read<WIDTH>(at + i * 512);
            unsigned all = 0;
#pragma unroll
            for (int i = 0; i < N; ++i) all |= v[i];
            at += all;
        }
    }
    const long long end = clock64();
    out[blockIdx.x * blockDim.x + t] = at;
    if (lane == 0) marks[(blockIdx.x * blockDim.x + t) / 32] = {sm_number(), begin, end};
}
Mark* marks; unsigned *out;
template <int W, int N>
void m() {
    auto k = chain<W, N>;
    for (int pattern = 0; pattern < 10; ++pattern) for (int threads : {32, 128, 512}) {
        const int trips = 256, blocks = 132;
        std::vector<double> c;
        for (int r = 0; r < 6; ++r) {
            k<<<blocks, threads>>>(marks, out, trips, pattern);
            check(cudaDeviceSynchronize());
            std::vector<Mark> got(blocks * threads / 32);
            check(cudaMemcpy(got.data(), marks, got.size() * sizeof(Mark), cudaMemcpyDeviceToHost));
            std::vector<long long> b(132, -1), e(132, 0), all;
            for (auto& g : got) { b[g.sm] = b[g.sm] < 0 ? g.begin : std::min(b[g.sm], g.begin); e[g.sm] = std::max(e[g.sm], g.end); }
            for (int s = 0; s < 132; ++s) if (b[s] >= 0) all.push_back(e[s] - b[s]);
            std::sort(all.begin(), all.end());
            if (r) c.push_back(double(all[all.size() / 2]));
        }
        std::sort(c.begin(), c.end());
        std::printf("%d_%d,%d,%d,%d,%.0f\n", W, N, pattern, threads, trips, c[2]);
    }
}
}
int main() {
    check(cudaMalloc(&marks, sizeof(Mark) * 132 * 64)); check(cudaMalloc(&out, 132 * 4 * 512 * 4));
    std::printf("kernel,pattern,threads,trips,cycles\n");
    m<4,1>(); m<4,2>(); m<4,4>(); m<8,1>(); m<8,2>(); m<8,4>(); m<16,1>(); m<16,2>(); m<16,4>();
}
