// How long launches take whose blocks read for a while, then write for a while, and that meet dirty data in L2.
//
//   nvcc -std=c++17 -O3 -arch=sm_90 -o phases validate/microbench/phases/phases.cu
//   phases > validate/data/h200_sxm_phases.csv      medians of nine launches; seconds
//   ncu --cache-control none --clock-control none --metrics dram__bytes_read.sum,dram__bytes_write.sum phases free
//
// kernel,read_mib,written_mib,restored_mib,blocks,threads,p,time_us     p: the kernel's own
//   reread    every warp reads 512 bytes in a row, again and again a grid farther; p loads of a warp before it waits
//   walk      the same, the next address from what was loaded: one load of a warp at a time
//   walk_words  the same of 128 bytes a warp
//   staged    each block reads tiles of 128 KiB into shared memory, p loads of a warp together, waits for all its
//             warps, writes the tile, and waits again
//   rows      each warp reads p rows of 512 bytes together, adds up all of them over its lanes, and writes them
//   extremes  as reread; each warp's least and greatest value to one word each at the end, without waiting
//   sums      each block of 256 reads 4 KiB of doubles, adds them up in shared memory, and adds the sum to a word
//   Between a launch and the next a copy on the device of restored_mib from a backup: of what the kernel writes, or, where it
//   writes nothing, of an array that it does not know; the stream is held until all launches are in it (restored.cu).
#include <cuda_runtime.h>

#include <climits>
#include <cstdio>

#include "../held_stream.cuh"

namespace {

__device__ unsigned any_of(const uint4& v) {
    return v.x | v.y | v.z | v.w;
}

template <int loads>
__device__ void reread(const uint4* from, uint4* to, int vectors) {
    const int step = gridDim.x * blockDim.x;
    unsigned sum = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i + (loads - 1) * step < vectors; i += loads * step) {
        uint4 v[loads];
#pragma unroll
        for (int j = 0; j < loads; ++j) v[j] = from[i + j * step];
#pragma unroll
        for (int j = 0; j < loads; ++j) sum += any_of(v[j]);
    }
    if (sum == 12345) to[0] = make_uint4(sum, 0, 0, 0);
}
__global__ void reread1(const uint4* from, uint4* to, int vectors) { reread<1>(from, to, vectors); }
__global__ void reread4(const uint4* from, uint4* to, int vectors) { reread<4>(from, to, vectors); }

// A lane's word instead of 16 bytes.
__global__ void walk_words(const uint4* from, uint4* to, int vectors) {
    const unsigned step = gridDim.x * blockDim.x;
    const auto* words = reinterpret_cast<const unsigned*>(from);
    for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < 4 * static_cast<unsigned>(vectors);) {
        i += step + words[i];  // which is 0
    }
    if (to == nullptr) __trap();
}

__global__ void walk(const uint4* from, uint4* to, int vectors) {
    const unsigned step = gridDim.x * blockDim.x;
    for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < static_cast<unsigned>(vectors);) {
        i += step + any_of(from[i]);  // which is 0
    }
    if (to == nullptr) __trap();
}

constexpr int tile = 128 * 1024 / 16;
template <int loads>
__device__ void staged(const uint4* from, uint4* to, int vectors) {
    extern __shared__ uint4 stage[];
    for (int t = blockIdx.x * tile; t < vectors; t += gridDim.x * tile) {
#pragma unroll loads
        for (int i = threadIdx.x; i < tile; i += 256) stage[i] = from[t + i];
        __syncthreads();
#pragma unroll 4
        for (int i = threadIdx.x; i < tile; i += 256) to[t + i] = stage[tile - 1 - i];
        __syncthreads();
    }
}
__global__ void __launch_bounds__(256) staged1(const uint4* __restrict__ from, uint4* __restrict__ to, int vectors) {
    staged<1>(from, to, vectors);
}
__global__ void __launch_bounds__(256) staged8(const uint4* __restrict__ from, uint4* __restrict__ to, int vectors) {
    staged<8>(from, to, vectors);
}

template <int loads>
__device__ void rows(const uint4* from, uint4* to) {
    const unsigned first = (blockIdx.x * blockDim.x + threadIdx.x) / 32 * (32 * loads) + threadIdx.x % 32;
    uint4 v[loads];
    unsigned sum = 0;
#pragma unroll
    for (int j = 0; j < loads; ++j) v[j] = from[first + 32 * j];
#pragma unroll
    for (int j = 0; j < loads; ++j) sum += any_of(v[j]);
    for (int o = 16; o > 0; o /= 2) sum += __shfl_xor_sync(0xffffffff, sum, o);
#pragma unroll
    for (int j = 0; j < loads; ++j) to[first + 32 * j] = make_uint4(v[j].x + sum, v[j].y, v[j].z, v[j].w);
}
__global__ void rows2(const uint4* __restrict__ from, uint4* __restrict__ to, int) { rows<2>(from, to); }
__global__ void rows8(const uint4* __restrict__ from, uint4* __restrict__ to, int) { rows<8>(from, to); }

__global__ void extremes(const uint4* from, uint4* to, int vectors) {
    int least = INT_MAX, most = INT_MIN;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < vectors; i += gridDim.x * blockDim.x) {
        const int v = static_cast<int>(any_of(from[i]));
        least = min(least, v);
        most = max(most, v);
    }
    least = __reduce_min_sync(0xffffffff, least);
    most = __reduce_max_sync(0xffffffff, most);
    if (threadIdx.x % 32 == 0) {
        atomicMin(reinterpret_cast<int*>(to), least);
        atomicMax(reinterpret_cast<int*>(to) + 1, most);
    }
}

__global__ void sums(const uint4* from, uint4* to, int) {
    __shared__ double part[256];
    const auto v = reinterpret_cast<const double2*>(from)[blockIdx.x * blockDim.x + threadIdx.x];
    part[threadIdx.x] = v.x + v.y;
    __syncthreads();
    for (unsigned s = blockDim.x / 2; s > 0; s /= 2) {
        if (threadIdx.x < s) part[threadIdx.x] += part[threadIdx.x + s];
        __syncthreads();
    }
    if (threadIdx.x == 0) atomicAdd(reinterpret_cast<double*>(to), part[0]);
}

constexpr std::size_t mib = 1 << 20;
char *from = nullptr, *to = nullptr, *backup = nullptr;
cudaStream_t stream;
bool held = true;

using Kernel = void (*)(const uint4*, uint4*, int);

void measure(const char* name, Kernel kernel, int p, int reads, int writes, int restored, int blocks, int threads,
             std::size_t shared = 0) {
    check(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(shared)));
    const double us = held_median_us(
        stream, held, held ? 11 : 4,
        [&] {
            if (restored > 0) check(cudaMemcpyAsync(to, backup, restored * mib, cudaMemcpyDeviceToDevice, stream));
        },
        [&] {
            kernel<<<blocks, threads, shared, stream>>>(reinterpret_cast<const uint4*>(from), reinterpret_cast<uint4*>(to),
                                                        static_cast<int>(reads * mib / 16));
        });
    std::printf("%s,%d,%d,%d,%d,%d,%d,%.3f\n", name, reads, writes, restored, blocks, threads, p, us);
    std::fflush(stdout);
}

}  // namespace

int main(int argc, char**) {
    held = argc == 1;
    cudaDeviceProp gpu{};
    check(cudaGetDeviceProperties(&gpu, 0));
    check(cudaStreamCreate(&stream));
    for (char** array : {&from, &to, &backup}) {
        check(cudaMalloc(array, 128 * mib));
        check(cudaMemset(*array, 0, 128 * mib));
    }
    std::printf("# gpu: %s\nkernel,read_mib,written_mib,restored_mib,blocks,threads,p,time_us\n", gpu.name);
    for (const int reads : {24, 36, 40, 44, 48, 52, 56, 60, 64, 72, 96}) {
        measure("reread", reread1, 1, reads, 0, 0, 264, 1024);
        measure("reread", reread4, 4, reads, 0, 0, 528, 256);
        measure("reread", reread4, 4, reads, 0, 0, 132, 512);
    }
    for (const int threads : {128, 256, 512, 1024}) {
        for (const int restored : {0, 12, 24, 48}) {
            for (const int reads : {8, 24, 96}) {
                measure("walk", walk, 1, reads, 0, restored, 132, threads);
                measure("walk_words", walk_words, 1, reads, 0, restored, 132, threads);
            }
        }
    }
    for (const int half : {16, 32, 64, 96}) {
        for (const int restored : {0, half}) {
            measure("staged", staged1, 1, half, half, restored, 132, 256, 128 * 1024);
            measure("staged", staged8, 8, half, half, restored, 132, 256, 128 * 1024);
        }
    }
    for (const int half : {8, 12, 16, 20, 24, 32, 48}) {
        for (const int restored : {0, half}) {
            measure("rows", rows2, 2, half, half, restored, half * 128, 256);
            measure("rows", rows8, 8, half, half, restored, half * 32, 256);
        }
    }
    for (const int reads : {8, 24, 48, 96}) {
        measure("extremes", extremes, 0, reads, 0, 0, 396, 384);
        measure("extremes", extremes, 0, reads, 0, 0, 132, 1024);
        measure("extremes", extremes, 0, reads, 0, 0, 528, 512);
        measure("sums", sums, 0, reads, 0, 0, reads * 256, 256);
    }
}
