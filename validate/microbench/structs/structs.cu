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
// kernel,words,parts,threads,blocks,time_us of 24 MiB, for the second table (`structs wide`)
//   store_parts   `parts` stores of `words` words make up a structure, blocks of `threads`
//   store_strips  a warp stores one word a lane, `words` lanes side by side, in `parts` places; the block's next
//                 warp the words behind them. `blocks` of `threads`, which go on to the next ones
#include <cuda_runtime.h>

#include <cstdio>
#include <cstring>

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

template <class Part, int PARTS>
__global__ void store_parts(Part* to, int n, float value) {
    for (int i = first(); i < n; i += step()) {
        float* at = reinterpret_cast<float*>(to + static_cast<size_t>(i) * PARTS);
#pragma unroll
        for (int k = 0; k < PARTS; ++k) {
            if constexpr (sizeof(Part) == 16) {
                asm volatile("st.global.v4.f32 [%0], {%1, %1, %1, %1};" ::"l"(at + 4 * k), "f"(value + i) : "memory");
            } else if constexpr (sizeof(Part) == 8) {
                asm volatile("st.global.v2.f32 [%0], {%1, %1};" ::"l"(at + 2 * k), "f"(value + i) : "memory");
            } else {
                asm volatile("st.global.f32 [%0], %1;" ::"l"(at + k), "f"(value + i) : "memory");
            }
        }
    }
}

// Words are `BINS` arrays of n / BINS.
template <int BINS>
__global__ void store_strips(float* to, int n, float value) {
    constexpr int width = 32 / BINS;
    const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    const int at = lane / width * (n / BINS) + warp * width + lane % width;
    for (int block = blockIdx.x; block < n / static_cast<int>(blockDim.x); block += gridDim.x) {
        asm volatile("st.global.f32 [%0], %1;" ::"l"(to + at + block * (blockDim.x / BINS)), "f"(value) : "memory");
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

template <class Part, int PARTS>
void measure_parts(float* to) {
    const int n = (24 << 20) / static_cast<int>(sizeof(Part)) / PARTS;
    for (const int from : {1024, 256, -32, -64, -128, -256, -512, -1024}) {
        const int threads = std::abs(from), blocks = from < 0 ? 132 : 0;
        const int grid = blocks > 0 ? blocks : (n + threads - 1) / threads;
        const double us =
            median_us([&] { store_parts<Part, PARTS><<<grid, threads>>>(reinterpret_cast<Part*>(to), n, 1.0F); });
        std::printf("store_parts,%d,%d,%d,%d,%.2f\n", static_cast<int>(sizeof(Part) / 4), PARTS, threads, grid, us);
        std::fflush(stdout);
    }
}

template <int BINS>
void measure_strips(float* to) {
    constexpr int n = 6 << 20;
    for (const int from : {1024, 256, 64, -64, -128, -256, -512, -1024}) {
        const int threads = std::abs(from), grid = from < 0 ? 132 : n / threads;
        const double us = median_us([&] { store_strips<BINS><<<grid, threads>>>(to, n, 1.0F); });
        std::printf("store_strips,%d,%d,%d,%d,%.2f\n", 32 / BINS, BINS, threads, grid, us);
        std::fflush(stdout);
    }
}

void measure_wide(float* to) {
    std::printf("kernel,words,parts,threads,blocks,time_us\n");
    measure_parts<float, 2>(to);
    measure_parts<float, 4>(to);
    measure_parts<float, 6>(to);
    measure_parts<float, 8>(to);
    measure_parts<float, 16>(to);
    measure_parts<float2, 2>(to);
    measure_parts<float2, 3>(to);
    measure_parts<float2, 4>(to);
    measure_parts<float2, 8>(to);
    measure_parts<float4, 1>(to);
    measure_parts<float4, 2>(to);
    measure_parts<float4, 3>(to);
    measure_parts<float4, 4>(to);
    measure_strips<1>(to);
    measure_strips<2>(to);
    measure_strips<4>(to);
    measure_strips<8>(to);
    measure_strips<16>(to);
    measure_strips<32>(to);
}

}  // namespace

int main(int argc, char** argv) {
    cudaDeviceProp gpu{};
    check(cudaGetDeviceProperties(&gpu, 0));
    if (argc > 1 && std::strcmp(argv[1], "wide") == 0) {
        float* to = nullptr;
        check(cudaMalloc(&to, 256 << 20));
        std::printf("# gpu: %s\n", gpu.name);
        measure_wide(to);
        return 0;
    }
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
