// Constant memory read by an index that is the same for the whole warp and changes from trip to trip (ULDC c[][UR]), and
// by fixed places in instructions' operands (c[][]), by how much of the table is read and how many warps read.
//
//   nvcc -std=c++17 -O3 -arch=sm_90 -o uniform_constants validate/microbench/uniform_constants/uniform_constants.cu
//   uniform_constants > validate/data/h200_sxm_uniform_constants.csv       median of nine launches; seconds
//
// kernel,bytes,warps,apart,reads,time_us
//   indexed_together   one block of so many warps on each SM; a warp goes through the first `bytes` of the table, 48 bytes a
//                      trip, 12 multiply-adds, again and again until it has made `reads` reads
//   indexed_apart      the same by blocks of one warp, of which block b starts `apart` rows of 48 bytes behind block b - 1; the
//                      compiler keeps the row in lanes' registers and reads by LDC
//   indexed_alone      4 bytes a trip, one multiply-add and 24 others
//   fixed              by fixed addresses, all `bytes` of them in a row
#include <cuda_runtime.h>

#include <cstdio>

#include "../standalone.cuh"

namespace {

constexpr int words = 16384;
__constant__ float table[words];

// Blocks of one warp, which start at different rows, and whose row is the block's.
__global__ void indexed_apart(int rows, int trips, int apart, float* out) {
    float sum = threadIdx.x, other = 1.5f;
    int row = blockIdx.x * apart % rows;
#pragma unroll 1
    for (int i = 0; i < trips; ++i) {
        const float* m = table + row * 12;
#pragma unroll
        for (int k = 0; k < 12; k += 2) {
            sum = sum * m[k] + other;
            other = other * m[k + 1] + sum;
        }
        row = row + 1 == rows ? 0 : row + 1;
    }
    out[blockIdx.x * blockDim.x + threadIdx.x] = sum + other;
}

// The row is the launch's: nobody can know, but all threads have the same.
__global__ void indexed_together(int rows, int trips, float* out) {
    float sum = threadIdx.x, other = 1.5f;
    int row = 0;
#pragma unroll 1
    for (int i = 0; i < trips; ++i) {
        const float* m = table + row * 12;
#pragma unroll
        for (int k = 0; k < 12; k += 2) {
            sum = sum * m[k] + other;
            other = other * m[k + 1] + sum;
        }
        row = row + 1 == rows ? 0 : row + 1;
    }
    out[blockIdx.x * blockDim.x + threadIdx.x] = sum + other;
}

__global__ void indexed_alone(int rows, int trips, float* out) {
    float sum = threadIdx.x, other = 1.5f;
    int row = 0;
#pragma unroll 1
    for (int i = 0; i < trips; ++i) {
        sum = sum * table[row] + other;
#pragma unroll
        for (int k = 0; k < 24; ++k) other = other * 1.25f + sum;
        row = row + 1 == rows ? 0 : row + 1;
    }
    out[blockIdx.x * blockDim.x + threadIdx.x] = sum + other;
}

template <int WORDS>
__global__ void fixed(int trips, float* out) {
    float sum = threadIdx.x, other = 1.5f;
#pragma unroll 1
    for (int i = 0; i < trips; ++i) {
#pragma unroll
        for (int k = 0; k < WORDS; k += 2) {
            sum = sum * table[k] + other;
            other = other * table[k + 1] + sum;
        }
    }
    out[blockIdx.x * blockDim.x + threadIdx.x] = sum + other;
}

template <class Launch>
void measure(const char* name, int bytes, int warps, int apart, int reads, Launch launch) {
    std::printf("%s,%d,%d,%d,%d,%.2f\n", name, bytes, warps, apart, reads, median_us(launch));
    std::fflush(stdout);
}

template <int WORDS>
void measure_fixed(int sms, int warps, float* out) {
    const int trips = 12288 / WORDS;
    measure("fixed", WORDS * 4, warps, 0, trips * WORDS, [&] { fixed<WORDS><<<sms, warps * 32>>>(trips, out); });
}

}  // namespace

int main() {
    cudaDeviceProp gpu{};
    check(cudaGetDeviceProperties(&gpu, 0));
    const int sms = gpu.multiProcessorCount;
    std::printf("# gpu: %s\nkernel,bytes,warps,apart,reads,time_us\n", gpu.name);
    float* out = nullptr;
    check(cudaMalloc(&out, sms * 1024 * sizeof(float)));
    constexpr int trips = 1024;
    for (const int warps : {1, 4, 8, 16, 32}) {
        for (const int rows : {1, 5, 10, 21, 42, 64, 85, 170, 341, 1365}) {
            measure("indexed_together", rows * 48, warps, 0, trips * 12,
                    [&] { indexed_together<<<sms, warps * 32>>>(rows, trips, out); });
            for (const int apart : {1, 5}) {
                measure("indexed_apart", rows * 48, warps, apart, trips * 12,
                        [&] { indexed_apart<<<sms * warps, 32>>>(rows, trips, apart, out); });
            }
        }
        for (const int row_count : {16, 128, 512, 1024, 4096, 16384}) {
            measure("indexed_alone", row_count * 4, warps, 0, trips * 4,
                    [&] { indexed_alone<<<sms, warps * 32>>>(row_count, trips * 4, out); });
        }
        measure_fixed<64>(sms, warps, out);
        measure_fixed<256>(sms, warps, out);
        measure_fixed<512>(sms, warps, out);
        measure_fixed<1024>(sms, warps, out);
        measure_fixed<2048>(sms, warps, out);
    }
    return 0;
}
