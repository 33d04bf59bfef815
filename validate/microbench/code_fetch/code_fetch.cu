// What instructions cost to fetch: loops whose bodies are longer and longer, walked by warps together or apart.
//
//   nvcc -std=c++17 -O3 -arch=sm_90 -o code_fetch validate/microbench/code_fetch/code_fetch.cu
//   code_fetch > validate/data/h200_sxm_code_fetch.csv      median of five launches; some seconds
//
// kind,instructions,warps,blocks,turns,trips,cycles
//   `blocks` blocks of `warps` warps on each SM run a loop of `instructions` instructions in a row `trips` times: fp32
//   (FFMA, one a cycle and scheduler) or alu (LOP3, one in two cycles). Warp w of an SM (blocks one after the other) begins
//   behind a short loop of w * `turns` trips. cycles: of the SM's clock, from its first warp's begin to its last one's
//   end, the median SM. The launch before ran the same code.
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

__device__ void step(float& sum, float x) { sum = sum * x + x; }
__device__ void step(unsigned& sum, unsigned x) {
    asm volatile("lop3.b32 %0, %0, %1, %1, 0x96;" : "+r"(sum) : "r"(x));
}

template <class T, int N>
__global__ void loop(Mark* marks, T* out, int trips, int turns, int sms, T x) {
    extern __shared__ char held[];
    const long long begin = clock64();
    const int warp = blockIdx.x / sms * (blockDim.x / 32) + threadIdx.x / 32;
    T sums[8] = {x, x, x, x, x, x, x, x};
#pragma unroll 1
    for (int i = 0; i < warp * turns; ++i) step(sums[0], x);
#pragma unroll 1
    for (int i = 0; i < trips; ++i) {
#pragma unroll
        for (int j = 0; j < N; ++j) step(sums[j % 8], x);
    }
    T sum = 0;
    for (T s : sums) sum += s;
    if (sum == T(-1)) out[0] = sum + held[0];
    const long long end = clock64();
    if (threadIdx.x % 32 == 0) marks[blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32] = {sm_number(), begin, end};
}

struct Place {
    int warps, blocks;
};

Mark* marks = nullptr;
void* out = nullptr;
int sms = 0;

template <class T, int N>
double cycles_of(Place at, int trips, int turns) {
    const int shared = std::min(227, 228 / at.blocks - 1) * 1024;
    check(cudaFuncSetAttribute(loop<T, N>, cudaFuncAttributeMaxDynamicSharedMemorySize, shared));
    const int count = sms * at.blocks * at.warps;
    std::vector<double> cycles;
    for (int r = 0; r < 6; ++r) {
        loop<T, N><<<sms * at.blocks, 32 * at.warps, shared>>>(marks, static_cast<T*>(out), trips, turns, sms, T(3) / 2);
        check(cudaDeviceSynchronize());
        std::vector<Mark> got(count);
        check(cudaMemcpy(got.data(), marks, count * sizeof(Mark), cudaMemcpyDeviceToHost));
        std::vector<long long> begin(sms, -1), end(sms, 0);
        for (const auto& m : got) {
            begin[m.sm] = begin[m.sm] < 0 ? m.begin : std::min(begin[m.sm], m.begin);
            end[m.sm] = std::max(end[m.sm], m.end);
        }
        std::vector<long long> of_sm;
        for (int s = 0; s < sms; ++s) {
            if (begin[s] >= 0) of_sm.push_back(end[s] - begin[s]);
        }
        std::sort(of_sm.begin(), of_sm.end());
        if (r > 0) cycles.push_back(double(of_sm[of_sm.size() / 2]));
    }
    std::sort(cycles.begin(), cycles.end());
    return cycles[2];
}

template <class T, int N>
void measure(const char* kind, bool alu) {
    constexpr int trips = 8;
    for (const Place at : {Place{1, 1}, {4, 1}, {8, 1}, {2, 4}, {16, 1}, {4, 4}}) {
        for (const int part : {0, 64, 16, 4, 1}) {  // of a trip's own time; a turn is some 20 cycles
            if (part > 0 && at.warps * at.blocks == 1) continue;
            const int turns = part == 0 ? 0 : std::max(1, (alu ? 2 : 1) * N / part / 20);
            std::printf("%s,%d,%d,%d,%d,%d,%.0f\n", kind, N, at.warps, at.blocks, turns, trips,
                        cycles_of<T, N>(at, trips, turns));
        }
    }
}

template <class T, int... N>
void measure_all(const char* kind, bool alu) {
    (measure<T, N>(kind, alu), ...);
}

}  // namespace

int main() {
    cudaDeviceProp gpu{};
    check(cudaGetDeviceProperties(&gpu, 0));
    sms = gpu.multiProcessorCount;
    check(cudaMalloc(&marks, sizeof(Mark) * sms * 64));
    check(cudaMalloc(&out, 64));
    std::printf("# gpu: %s\nkind,instructions,warps,blocks,turns,trips,cycles\n", gpu.name);
    measure_all<float, 256, 512, 1024, 1536, 1920, 2048, 2176, 2304, 2560, 3072, 4096, 6144, 8192, 9216, 12288, 16384>("fp32", false);
    measure_all<unsigned, 512, 1536, 2048, 2304, 2560, 4096, 8192, 12288>("alu", true);
}
