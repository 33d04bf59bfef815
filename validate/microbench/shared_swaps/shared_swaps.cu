// Sums of floats in shared memory, which compilers make a loop around a compare-and-swap (ATOMS.CAST.SPIN): how often it
// goes round, by the banks and words that lanes name and by how many warps name the same.
//
//   nvcc -std=c++17 -O3 -arch=sm_90 -o shared_swaps validate/microbench/shared_swaps/shared_swaps.cu
//   shared_swaps > validate/data/h200_sxm_shared_swaps.csv      the best of nine launches of one block per SM; a second
//   ncu --metrics smsp__inst_executed.sum,... shared_swaps      counts instructions, which the last column needs
//
// kernel,warps,apart,words,cycles    cycles of the SM for each sum of a warp
//   strided   lane l of each warp adds to word l * apart modulo `words`, warps to words of their own
//   together  all warps add to the same words
//   random    each lane adds to one of `words` that a hash picks, all warps to the same words
#include <cuda_runtime.h>

#include <algorithm>
#include <cstdio>

#include "../standalone.cuh"

namespace {

constexpr int sums = 64;

__global__ void strided(long long* cycles, float* out, int apart, int words, int own) {
    extern __shared__ float s[];
    for (int i = threadIdx.x; i < own * (blockDim.x / 32) + words; i += blockDim.x) s[i] = 0;
    __syncthreads();
    float* const at = s + own * (threadIdx.x / 32) + threadIdx.x % 32 * apart % words;
    const long long begin = clock64();
#pragma unroll 1
    for (int i = 0; i < sums; ++i) atomicAdd(at, 1.0f);
    __syncthreads();
    const long long end = clock64();
    if (threadIdx.x == 0) cycles[blockIdx.x] = end - begin;
    if (s[threadIdx.x % 32] < 0) out[0] = s[0];
}

__global__ void random_words(long long* cycles, float* out, unsigned words) {
    extern __shared__ float s[];
    for (int i = threadIdx.x; i < words; i += blockDim.x) s[i] = 0;
    __syncthreads();
    const long long begin = clock64();
#pragma unroll 1
    for (int i = 0; i < sums; ++i) atomicAdd(s + hash(i * blockDim.x + threadIdx.x) % words, 1.0f);
    __syncthreads();
    const long long end = clock64();
    if (threadIdx.x == 0) cycles[blockIdx.x] = end - begin;
    if (s[threadIdx.x % words] < 0) out[0] = s[0];
}

template <class Launch>
double best(long long* cycles, int sms, Launch launch) {
    long long least = 1LL << 60;
    for (int r = 0; r < 9; ++r) {
        launch();
        check(cudaDeviceSynchronize());
        long long of_sm[256];
        check(cudaMemcpy(of_sm, cycles, sms * sizeof(long long), cudaMemcpyDeviceToHost));
        std::sort(of_sm, of_sm + sms);
        least = std::min(least, of_sm[sms / 2]);
    }
    return double(least) / sums;
}

}  // namespace

int main() {
    cudaDeviceProp gpu{};
    check(cudaGetDeviceProperties(&gpu, 0));
    const int sms = gpu.multiProcessorCount;
    long long* cycles = nullptr;
    float* out = nullptr;
    check(cudaMalloc(&cycles, 256 * sizeof(long long)));
    check(cudaMalloc(&out, 64));
    std::printf("# gpu: %s\nkernel,warps,apart,words,cycles\n", gpu.name);
    for (int warps : {1, 4, 8}) {
        for (int apart : {0, 1, 2, 3, 4, 8, 16, 32}) {
            for (int own : {1024, 0}) {
                if (own == 0 && warps == 1) continue;
                const int shared = (own * warps + 1024) * 4;
                std::printf("%s,%d,%d,1024,%.1f\n", own > 0 ? "strided" : "together", warps, apart,
                            best(cycles, sms, [&] { strided<<<sms, warps * 32, shared>>>(cycles, out, apart, 1024, own); }));
            }
        }
        for (unsigned words : {1U, 2U, 8U, 32U, 128U, 256U, 1024U, 4096U}) {
            std::printf("random,%d,0,%u,%.1f\n", warps, words,
                        best(cycles, sms, [&] { random_words<<<sms, warps * 32, words * 4>>>(cycles, out, words); }));
        }
    }
}
