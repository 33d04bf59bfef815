// Structures of several words that threads store word by word, one behind the other.
//
//   nvcc -std=c++17 -O3 -arch=sm_90 -o structs validate/microbench/structs/structs.cu
//   structs > validate/data/h200_sxm_structs.csv          median of nine launches; seconds
//
// kernel,words,struct_words,apart,mib,blocks,time_us
//   Blocks of 256 threads, a structure of `struct_words` words a thread, `mib` in all; where `blocks` are few, they go on to
//   the next ones.
//   store_words   the first `words` of each, with `apart` dependent operations between two stores
//   store_wide    all four in one store
//   copy_words    all are loaded word by word first
#include <cuda_runtime.h>

#include <cstdio>

#include "../standalone.cuh"

namespace {

constexpr int threads = 256;

__device__ int first() { return blockIdx.x * blockDim.x + threadIdx.x; }
__device__ int step() { return gridDim.x * blockDim.x; }

template <int WORDS, int SIZE, int APART>
__global__ void store_words(float* to, int n, float value) {
    for (int i = first(); i < n; i += step()) {
        volatile float* at = to + static_cast<size_t>(i) * SIZE;
        float v = value + i;
#pragma unroll
        for (int k = 0; k < WORDS; ++k) {
            at[k] = v;
#pragma unroll
            for (int j = 0; j < APART; ++j) v = v * 1.5f + 0.25f;
        }
    }
}

__global__ void store_wide(float4* to, int n, float value) {
    for (int i = first(); i < n; i += step()) to[i] = float4{value, value + i, value, value};
}

template <int SIZE>
__global__ void copy_words(const float* from, float* to, int n) {
    for (int i = first(); i < n; i += step()) {
        const float* in = from + static_cast<size_t>(i) * SIZE;
        volatile float* at = to + static_cast<size_t>(i) * SIZE;
        float v[SIZE];
#pragma unroll
        for (int k = 0; k < SIZE; ++k) v[k] = in[k];
#pragma unroll
        for (int k = 0; k < SIZE; ++k) at[k] = v[k] * 1.5f;
    }
}

constexpr int sizes[] = {8, 24, 256};  // MiB

// `launch` takes blocks and structures.
template <class Launch>
void measure(const char* name, int words, int size, int apart, int blocks, Launch launch) {
    for (const int mib : sizes) {
        const int n = (mib << 20) / 4 / size;
        const int grid = blocks > 0 ? blocks : (n + threads - 1) / threads;
        const double us = median_us([&] { launch(grid, n); });
        std::printf("%s,%d,%d,%d,%d,%d,%.2f\n", name, words, size, apart, mib, grid, us);
        std::fflush(stdout);
    }
}

template <int WORDS, int SIZE, int APART = 0>
void measure_stores(float* to, int blocks) {
    measure("store_words", WORDS, SIZE, APART, blocks,
            [&](int grid, int n) { store_words<WORDS, SIZE, APART><<<grid, threads>>>(to, n, 1.0F); });
}

}  // namespace

int main() {
    cudaDeviceProp gpu{};
    check(cudaGetDeviceProperties(&gpu, 0));
    std::printf("# gpu: %s\nkernel,words,struct_words,apart,mib,blocks,time_us\n", gpu.name);
    float *from = nullptr, *to = nullptr;
    check(cudaMalloc(&from, 256 << 20));
    check(cudaMalloc(&to, 256 << 20));
    check(cudaMemset(from, 0, 256 << 20));
    for (const int blocks : {0, 132, 33}) {
        measure_stores<1, 1>(to, blocks);
        measure_stores<1, 2>(to, blocks);
        measure_stores<2, 2>(to, blocks);
        measure_stores<3, 3>(to, blocks);
        measure_stores<1, 4>(to, blocks);
        measure_stores<2, 4>(to, blocks);
        measure_stores<4, 4>(to, blocks);
        measure_stores<4, 4, 16>(to, blocks);
        measure_stores<4, 4, 128>(to, blocks);
        measure_stores<6, 6>(to, blocks);
        measure_stores<1, 8>(to, blocks);
        measure_stores<8, 8>(to, blocks);
        measure_stores<8, 8, 16>(to, blocks);
        measure("store_wide", 4, 4, 0, blocks,
                [&](int grid, int n) { store_wide<<<grid, threads>>>(reinterpret_cast<float4*>(to), n, 1.0F); });
        measure("copy_words", 4, 4, 0, blocks, [&](int grid, int n) { copy_words<4><<<grid, threads>>>(from, to, n); });
        measure("copy_words", 8, 8, 0, blocks, [&](int grid, int n) { copy_words<8><<<grid, threads>>>(from, to, n); });
    }
    return 0;
}
