// Stores and loads at L2 of few bytes each: anywhere in 16 MiB, by how many bytes of a sector come at once, and many
// at few places.
//
//   nvcc -std=c++17 -O3 -arch=sm_90 -o l2_stores validate/microbench/l2_stores/l2_stores.cu
//   l2_stores > validate/data/h200_sxm_l2_stores.csv       median of nine launches; seconds
//   nvcc -std=c++17 -O3 -arch=sm_90 -cubin -o l2_stores.cubin l2_stores.cu
//   cuobjdump -sass l2_stores.cubin | gzip -9n > sm_90.sass.gz
//
//   store_any<T, lanes>   as many lanes side by side store a T each at a place of its own that a hash picks; four
//                         such stores a thread
//   store_few, store_few_lines, load_few   each warp stores one word, stores a line, or loads one word past L1, at
//                         place (warp & mask) * stride; 16 times
// `pieces`: of sectors that the launch stores or loads, one per sector and instruction of a warp.
#include <cuda_runtime.h>

#include <algorithm>
#include <cstdio>

#include "../standalone.cuh"

namespace {

constexpr unsigned region_bytes = 16U << 20;
constexpr int block = 256;

template <class T>
__device__ T value(unsigned i) {
    return static_cast<T>(i);
}
template <>
__device__ uint4 value<uint4>(unsigned i) {
    return make_uint4(i, i, i, i);
}

template <class T, int LANES>
__global__ void store_any(unsigned char* data) {
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    constexpr unsigned chunk = LANES * sizeof(T);
#pragma unroll
    for (unsigned j = 0; j < 4; ++j) {
        const unsigned place = hash((i / LANES) * 4 + j) & (region_bytes / chunk - 1);
        reinterpret_cast<T*>(data + place * chunk)[i % LANES] = value<T>(i);
    }
}

__global__ void store_few(unsigned char* data, unsigned mask, unsigned stride) {
    const unsigned warp = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
    auto* word = reinterpret_cast<volatile unsigned*>(data + (warp & mask) * stride);
    if (threadIdx.x % 32 == 0) {
        for (int r = 0; r < 16; ++r) {
            *word = r;
        }
    }
}

__global__ void store_few_lines(unsigned char* data, unsigned mask, unsigned stride) {
    const unsigned warp = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
    auto* word = reinterpret_cast<volatile unsigned*>(data + (warp & mask) * stride) + threadIdx.x % 32;
    for (int r = 0; r < 16; ++r) {
        *word = r;
    }
}

__global__ void load_few(unsigned char* data, unsigned mask, unsigned stride) {
    const unsigned warp = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
    const auto* word = reinterpret_cast<const unsigned*>(data + (warp & mask) * stride);
    unsigned sum = 0;
    for (int r = 0; r < 16; ++r) {
        unsigned v;
        asm volatile("ld.global.cg.u32 %0, [%1];" : "=r"(v) : "l"(word));
        sum ^= v + r;
    }
    if (sum == 0x12345678U) {
        *reinterpret_cast<unsigned*>(data) = sum;
    }
}

template <class T, int LANES>
void any(unsigned char* data, const char* name) {
    constexpr int grid = 4096;
    const double us = median_us([&] { store_any<T, LANES><<<grid, block>>>(data); });
    const double bytes = 4.0 * grid * block * sizeof(T);
    constexpr double piece = std::min<double>(32, LANES * sizeof(T));
    std::printf("store_any,%s,%d,0,0,%.0f,%.2f\n", name, LANES, bytes / piece, us);
}

using Few = void (*)(unsigned char*, unsigned, unsigned);
void few(unsigned char* data, const char* name, Few kernel, int sectors) {
    constexpr int grid = 4096;
    for (unsigned stride : {4U, 32U, 128U, 512U, 4096U}) {
        for (unsigned mask = 0; mask < 32768 && (mask + 1ULL) * stride <= region_bytes; mask = 2 * mask + 1) {
            if ((stride > 4 || mask < 8) && (stride == 128 || mask < 64) && (sectors == 1 || stride >= 128)) {
                const double us = median_us([&] { kernel<<<grid, block>>>(data, mask, stride); });
                std::printf("%s,u32,%d,%u,%u,%d,%.2f\n", name, sectors == 1 ? 1 : 32, mask, stride,
                            grid * block / 32 * 16 * sectors, us);
            }
        }
    }
}

}  // namespace

int main() {
    cudaDeviceProp gpu{};
    check(cudaGetDeviceProperties(&gpu, 0));
    unsigned char* data = nullptr;
    check(cudaMalloc(&data, region_bytes));
    check(cudaMemset(data, 0, region_bytes));
    std::printf("# gpu: %s\nkernel,type,lanes,mask,stride,pieces,time_us\n", gpu.name);
    any<unsigned char, 1>(data, "u8");
    any<unsigned short, 1>(data, "u16");
    any<unsigned short, 2>(data, "u16");
    any<unsigned, 1>(data, "u32");
    any<unsigned, 2>(data, "u32");
    any<unsigned, 4>(data, "u32");
    any<unsigned, 8>(data, "u32");
    any<unsigned, 16>(data, "u32");
    any<unsigned, 32>(data, "u32");
    any<unsigned long long, 1>(data, "u64");
    any<unsigned long long, 2>(data, "u64");
    any<unsigned long long, 4>(data, "u64");
    any<unsigned long long, 16>(data, "u64");
    any<uint4, 1>(data, "u128");
    any<uint4, 2>(data, "u128");
    any<uint4, 4>(data, "u128");
    any<uint4, 8>(data, "u128");
    few(data, "store_few", store_few, 1);
    few(data, "store_few_lines", store_few_lines, 4);
    few(data, "load_few", load_few, 1);
}
