// What code costs that runs for the first time in a launch: straight code of up to 128 KiB whose clock is read after every KiB.
//
//   nvcc -std=c++17 -O3 -arch=sm_90 -o code_start validate/microbench/code_start/code_start.cu
//   code_start > validate/data/h200_sxm_code_start.csv      medians of five launches; some seconds
//
// kind,kib,warps,sms,before,wave,at_kib,cycles,slowest
//   On `sms` SMs one block at a time of `warps` warps runs `kib` KiB of code once from its begin to its end: all of it (straight:
//   FFMA on four registers in turn), or every second KiB (skips: a uniform branch passes over the others, which is why only
//   half of the code behind `at_kib` was run). wave 0: the blocks that the launch begins with; 1: those after them on the same
//   SMs. before: what ran between the launch before of the same kernel and this one: nothing (same), a copy of 64 KiB from host to
//   device and back (copy), another kernel of 128 KiB of code (other). cycles: from the warp's first clock to the one behind
//   `at_kib` KiB, of the SM's last warp to come there, the median SM; slowest: the SM that is last.
// The first comment lines: the SM's clock against the global timer over 0.5 ms, by what ran before.
#include <cuda_runtime.h>

#include <algorithm>
#include <cstdio>
#include <string>
#include <vector>

#include "../standalone.cuh"

namespace {

__device__ __forceinline__ unsigned now() {
    unsigned cycles;
    asm volatile("mov.u32 %0, %%clock;" : "=r"(cycles));
    return cycles;
}

// 63 instructions; the clock is the 64th of a KiB.
__device__ __forceinline__ void kib(float (&sums)[4], float x) {
#pragma unroll
    for (int j = 0; j < 63; ++j) asm volatile("fma.rn.f32 %0, %0, %1, %1;" : "+f"(sums[j % 4]) : "f"(x));
}

// marks: of block, warp, and KiB (0: the begin).
template <int N, bool Skips>
__global__ void straight(unsigned* marks, float* out, float x, int run) {
    extern __shared__ char held[];
    float sums[4] = {x, x + 1, x + 2, x + 3};
    unsigned at[N + 1];
    at[0] = now();
#pragma unroll
    for (int i = 0; i < N; ++i) {
        if (!Skips || i % 2 == 0 || (run >> (i % 31) & 1) != 0) kib(sums, x);
        at[i + 1] = now();
    }
    if (sums[0] + sums[1] + sums[2] + sums[3] == -1) out[0] = held[0];
    if (threadIdx.x % 32 == 0) {
        const int warp = blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32;
#pragma unroll
        for (int i = 0; i <= N; ++i) marks[warp * (N + 1) + i] = at[i];
    }
}

unsigned* marks = nullptr;
float* out = nullptr;
void* copied = nullptr;
int sms = 0;
constexpr int most_warps = 12;

template <int N, bool Skips>
void launch(int blocks, int warps) {
    constexpr int shared = 200 * 1024;
    check(cudaFuncSetAttribute(straight<N, Skips>, cudaFuncAttributeMaxDynamicSharedMemorySize, shared));
    straight<N, Skips><<<blocks, 32 * warps, shared>>>(marks, out, 1.5F, 0);
    check(cudaGetLastError());
}

void between(const std::string& before) {
    static std::vector<char> host(64 * 1024);
    if (before == "copy") {
        check(cudaMemcpy(copied, host.data(), host.size(), cudaMemcpyHostToDevice));
        check(cudaMemcpy(host.data(), copied, host.size(), cudaMemcpyDeviceToHost));
    } else if (before == "other") {
        launch<127, false>(sms, 4);
    }
}

unsigned median(std::vector<unsigned> values) {
    std::sort(values.begin(), values.end());
    return values[values.size() / 2];
}

template <int N, bool Skips>
void measure(const char* kind, int on, int warps, const std::string& before) {
    // by wave, KiB: of each launch the median SM and the slowest
    std::vector<std::vector<unsigned>> cycles(2 * (N + 1)), slowest(2 * (N + 1));
    for (int r = 0; r < 6; ++r) {
        launch<N, Skips>(2 * on, warps);
        between(before);
        launch<N, Skips>(2 * on, warps);
        check(cudaDeviceSynchronize());
        std::vector<unsigned> got(static_cast<std::size_t>(2 * on) * warps * (N + 1));
        check(cudaMemcpy(got.data(), marks, got.size() * sizeof(unsigned), cudaMemcpyDeviceToHost));
        for (int wave = 0; wave < 2 && r > 0; ++wave) {
            for (int i = 1; i <= N; ++i) {
                std::vector<unsigned> of_blocks;
                for (int b = wave * on; b < (wave + 1) * on; ++b) {
                    const unsigned* warp = &got[static_cast<std::size_t>(b) * warps * (N + 1)];
                    unsigned last = 0;
                    for (int w = 0; w < warps; ++w) last = std::max(last, warp[w * (N + 1) + i] - warp[0]);
                    of_blocks.push_back(last);
                }
                cycles[wave * (N + 1) + i].push_back(median(of_blocks));
                slowest[wave * (N + 1) + i].push_back(*std::max_element(of_blocks.begin(), of_blocks.end()));
            }
        }
    }
    for (int wave = 0; wave < 2; ++wave) {
        for (const int i : {1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 120}) {
            if (i > N) break;
            std::printf("%s,%d,%d,%d,%s,%d,%d,%u,%u\n", kind, N, warps, on, before.c_str(), wave, i,
                        median(cycles[wave * (N + 1) + i]), median(slowest[wave * (N + 1) + i]));
        }
    }
}

__global__ void clocks(unsigned long long* of, unsigned long long nanoseconds) {
    unsigned long long begin, end;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(begin));
    const unsigned long long from = clock64();
    do {
        asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(end));
    } while (end - begin < nanoseconds);
    if (threadIdx.x == 0 && blockIdx.x == 0) {
        of[0] = clock64() - from;
        of[1] = end - begin;
    }
}

void clock_rate(const std::string& before) {
    unsigned long long* of = nullptr;
    check(cudaMalloc(&of, 16));
    std::vector<unsigned> mhz;
    for (int r = 0; r < 5; ++r) {
        between(before);
        clocks<<<sms, 128>>>(of, 500000);
        unsigned long long got[2];
        check(cudaMemcpy(got, of, sizeof got, cudaMemcpyDeviceToHost));
        mhz.push_back(static_cast<unsigned>(1000 * got[0] / got[1]));
    }
    std::printf("# clock, %s: %u MHz\n", before.c_str(), median(mhz));
}

template <int N, bool Skips>
void measure_all(const char* kind) {
    for (const char* before : {"same", "copy", "other"}) {
        for (const int warps : {1, 4, most_warps}) measure<N, Skips>(kind, sms, warps, before);
        measure<N, Skips>(kind, 1, 4, before);
        measure<N, Skips>(kind, 16, 4, before);
    }
}

}  // namespace

int main() {
    cudaDeviceProp gpu{};
    check(cudaGetDeviceProperties(&gpu, 0));
    sms = gpu.multiProcessorCount;
    check(cudaMalloc(&marks, sizeof(unsigned) * 2 * sms * most_warps * 128));
    check(cudaMalloc(&out, 64));
    check(cudaMalloc(&copied, 64 * 1024));
    std::printf("# gpu: %s\n", gpu.name);
    for (const char* before : {"same", "copy", "other"}) clock_rate(before);
    std::printf("kind,kib,warps,sms,before,wave,at_kib,cycles,slowest\n");
    measure_all<4, false>("straight");
    measure_all<16, false>("straight");
    measure_all<32, false>("straight");
    measure_all<64, false>("straight");
    measure_all<120, false>("straight");
    measure_all<16, true>("skips");
    measure_all<64, true>("skips");
}
