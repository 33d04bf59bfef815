// Loads from constant memory by an index that lanes have of their own (LDC): by how many words the lanes of a warp
// name, how far these lie apart, and how many warps an SM has.
//
//   nvcc -std=c++17 -O3 -arch=sm_90 -o constants validate/microbench/constants/constants.cu
//   constants > validate/data/h200_sxm_constants.csv       median of nine launches; seconds
//
// kernel,distinct,stride,warps,loads,time_us
//   reads   one block of so many warps on each SM; a warp makes `loads` loads that do not wait for each other, 16 at a
//           time; its lanes name `distinct` words, `stride` words apart
//   reads_of_bytes   the same of bytes, `stride` bytes apart
//   chain   the same, each load's index is the value of the one before
#include <cuda_runtime.h>

#include <cstdio>

#include "../standalone.cuh"

namespace {

constexpr int words = 4096;  // 16 KiB
__constant__ int table[words];

// `zero` is 0, and nobody knows.
__global__ void reads(int distinct, int stride, int rounds, int zero, int* out) {
    int at = (threadIdx.x % 32 % distinct) * stride;
    int sum = 0;
    for (int i = 0; i < rounds; ++i) {
#pragma unroll
        for (int k = 0; k < 16; ++k) {
            sum += table[at + k];
        }
        at += zero;
    }
    out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

// The same of bytes, `stride` bytes apart.
__global__ void reads_of_bytes(int distinct, int stride, int rounds, int zero, int* out) {
    const auto* bytes = reinterpret_cast<const unsigned char*>(table);
    int at = (threadIdx.x % 32 % distinct) * stride;
    int sum = 0;
    for (int i = 0; i < rounds; ++i) {
#pragma unroll
        for (int k = 0; k < 16; ++k) {
            sum += bytes[at + 4 * k];
        }
        at += zero;
    }
    out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

__global__ void chain(int distinct, int stride, int rounds, int* out) {
    int at = (threadIdx.x % 32 % distinct) * stride;
    for (int i = 0; i < rounds; ++i) {
#pragma unroll
        for (int k = 0; k < 16; ++k) {
            at = table[at];
        }
    }
    out[blockIdx.x * blockDim.x + threadIdx.x] = at;
}

}  // namespace

int main() {
    cudaDeviceProp gpu{};
    check(cudaGetDeviceProperties(&gpu, 0));
    static int host[words];
    for (int i = 0; i < words; ++i) host[i] = i;
    check(cudaMemcpyToSymbol(table, host, sizeof host));
    int* out = nullptr;
    check(cudaMalloc(&out, 1 << 24));
    std::printf("# gpu: %s\nkernel,distinct,stride,warps,loads,time_us\n", gpu.name);
    const int sms = gpu.multiProcessorCount;
    for (int distinct : {1, 2, 3, 4, 8, 16, 32}) {
        for (int stride : {1, 2, 4, 16, 64, 100}) {
            for (int warps : {1, 4, 16, 32}) {
                const int rounds = 512 / distinct + 16;
                std::printf("reads,%d,%d,%d,%d,%.2f\n", distinct, stride, warps, 16 * rounds, median_us([&] {
                                reads<<<sms, 32 * warps>>>(distinct, stride, rounds, 0, out);
                            }));
                std::printf("reads_of_bytes,%d,%d,%d,%d,%.2f\n", distinct, stride, warps, 16 * rounds, median_us([&] {
                                reads_of_bytes<<<sms, 32 * warps>>>(distinct, stride, rounds, 0, out);
                            }));
                std::printf("chain,%d,%d,%d,%d,%.2f\n", distinct, stride, warps, 16 * rounds, median_us([&] {
                                chain<<<sms, 32 * warps>>>(distinct, stride, rounds, out);
                            }));
            }
        }
    }
}
