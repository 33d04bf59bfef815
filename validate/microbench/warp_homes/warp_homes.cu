// Which scheduler a block's warps go to: of each block one warp works longer than the others.
//
//   nvcc -std=c++17 -O3 -arch=sm_90 -o warp_homes validate/microbench/warp_homes/warp_homes.cu
//   warp_homes > validate/data/h200_sxm_warp_homes.csv      median of nine launches; a second
//
// warps,blocks,waves,kind,others_part,cycles
//   `blocks` blocks of `warps` warps are resident on each SM, held there by their shared memory, `waves` times as many are
//   launched. Warp 0 of each runs a loop of 64-bit (fp64) or 32-bit (fp32) products that keeps a scheduler's pipe busy alone,
//   the others `others_part` of its trips. cycles: of the SM's clock, from the first block's begin to the last one's end,
//   the median SM, for each trip of warp 0 and wave.
#include <cuda_runtime.h>

#include <algorithm>
#include <cstdio>
#include <vector>

#include "../standalone.cuh"

namespace {

struct Mark {
    unsigned sm;
    long long begin, end;
};

constexpr int trips = 512, products = 32;  // of a trip

template <class T>
__global__ void work(Mark* marks, T* out, int others, T x) {
    extern __shared__ char held[];
    const long long begin = clock64();
    const int mine = threadIdx.x < 32 ? trips : others;
    T sums[8] = {x, x, x, x, x, x, x, x};
    for (int i = 0; i < mine; ++i) {
#pragma unroll
        for (int j = 0; j < products; ++j) sums[j % 8] = sums[j % 8] * x + x;
    }
    T sum = 0;
    for (T s : sums) sum += s;
    if (sum == T(-1)) out[0] = sum + held[0];
    __syncthreads();
    if (threadIdx.x == 0) marks[blockIdx.x] = {sm_number(), begin, clock64()};
}

template <class T>
void measure(const char* kind, int warps, int blocks, int waves, double part, int sms, Mark* marks, void* out) {
    const int shared = std::min(227, 228 / blocks - 1) * 1024;
    check(cudaFuncSetAttribute(work<T>, cudaFuncAttributeMaxDynamicSharedMemorySize, shared));
    const int grid = sms * blocks * waves;
    std::vector<double> cycles;
    for (int launch = 0; launch < 9; ++launch) {
        work<T><<<grid, 32 * warps, shared>>>(marks, static_cast<T*>(out), static_cast<int>(trips * part), T(0.5));
        check(cudaDeviceSynchronize());
        std::vector<Mark> got(grid);
        check(cudaMemcpy(got.data(), marks, grid * sizeof(Mark), cudaMemcpyDeviceToHost));
        std::vector<long long> begin(sms, -1), end(sms, 0);
        for (const auto& m : got) {
            begin[m.sm] = begin[m.sm] < 0 ? m.begin : std::min(begin[m.sm], m.begin);
            end[m.sm] = std::max(end[m.sm], m.end);
        }
        std::vector<double> of_sm;
        for (int s = 0; s < sms; ++s) of_sm.push_back(double(end[s] - begin[s]) / (trips * products * waves));
        std::sort(of_sm.begin(), of_sm.end());
        cycles.push_back(of_sm[sms / 2]);
    }
    std::sort(cycles.begin(), cycles.end());
    std::printf("%d,%d,%d,%s,%.2f,%.3f\n", warps, blocks, waves, kind, part, cycles[4]);
}

}  // namespace

int main() {
    cudaDeviceProp gpu{};
    check(cudaGetDeviceProperties(&gpu, 0));
    const int sms = gpu.multiProcessorCount;
    Mark* marks = nullptr;
    void* out = nullptr;
    check(cudaMalloc(&marks, sizeof(Mark) * sms * 32 * 16));
    check(cudaMalloc(&out, 64));
    std::printf("# gpu: %s\nwarps,blocks,waves,kind,others_part,cycles\n", gpu.name);
    for (int warps : {1, 2, 3, 4, 5, 6, 8, 12, 16}) {
        for (int blocks : {1, 2, 3, 4, 5, 6, 8, 9, 12, 16}) {
            if (warps * blocks > 64) continue;
            for (int waves : {1, 8}) {
                for (double part : {0.0, 0.5}) {
                    if (warps == 1 && part > 0) continue;
                    measure<float>("fp32", warps, blocks, waves, part, sms, marks, out);
                    if (warps == 4) measure<double>("fp64", warps, blocks, waves, part, sms, marks, out);
                }
            }
        }
    }
}
