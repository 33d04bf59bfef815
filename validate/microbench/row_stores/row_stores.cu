// Stores of results as products of matrix units hold them: a warp stores 8 rows of 32 or 16 bytes, or whole lines, and goes
// on to the pieces beside them.
//
//   nvcc -std=c++17 -O3 -arch=sm_90 -o row_stores validate/microbench/row_stores/row_stores.cu
//   row_stores > validate/data/h200_sxm_row_stores.csv          median of nine launches; seconds
//
// kernel,blocks,warps,tiles,stride,time_us
//   Each warp has `tiles` tiles of 16 rows x 256 bytes, `stride` bytes from row to row, of a region of its own that stays in L2,
//   and stores all of them 16 times.
//   rows32     stores of 8 rows x 32 bytes, the other 8 rows, then the 32 bytes beside them, eight times
//   rows32_far the same, the 32 bytes beside them only after all tiles have had theirs
//   rows16     stores of 8 rows x 16 bytes
//   rows128    stores of 2 rows x 128 bytes (8 bytes a lane)
//   lines      stores of 1 row x 256 bytes
#include <cuda_runtime.h>

#include <cstdio>

#include "../standalone.cuh"

namespace {

constexpr int tile_rows = 16, tile_bytes = 256, passes = 16;

struct Place {
    char* base;
    int tiles, stride, tiles_beside, passes;
    __device__ char* tile(int warp, int number) const {
        const long all = static_cast<long>(warp) * tiles + number;
        return base + all / tiles_beside * tile_rows * stride + all % tiles_beside * tile_bytes;
    }
};

__device__ int warp_number() { return (blockIdx.x * blockDim.x + threadIdx.x) / 32; }

__global__ void rows32(Place p, float2 value) {
    const int lane = threadIdx.x % 32;
    for (int pass_t = 0; pass_t < p.tiles * p.passes; ++pass_t) {
        const int t = pass_t % p.tiles;
        char* at = p.tile(warp_number(), t) + lane / 4 * p.stride + lane % 4 * 8;
#pragma unroll
        for (int n = 0; n < 8; ++n) {
            *reinterpret_cast<float2*>(at + n * 32) = value;
            *reinterpret_cast<float2*>(at + n * 32 + 8 * p.stride) = value;
        }
    }
}

__global__ void rows32_far(Place p, float2 value) {
    const int lane = threadIdx.x % 32;
    for (int pass_n = 0; pass_n < 8 * p.passes; ++pass_n) {
        const int n = pass_n % 8;
        for (int t = 0; t < p.tiles; ++t) {
            char* at = p.tile(warp_number(), t) + lane / 4 * p.stride + lane % 4 * 8;
            *reinterpret_cast<float2*>(at + n * 32) = value;
            *reinterpret_cast<float2*>(at + n * 32 + 8 * p.stride) = value;
        }
    }
}

__global__ void rows16(Place p, float2 value) {
    const int lane = threadIdx.x % 32;
    for (int pass_t = 0; pass_t < p.tiles * p.passes; ++pass_t) {
        const int t = pass_t % p.tiles;
        char* at = p.tile(warp_number(), t) + lane / 4 * p.stride + lane % 4 * 4;
#pragma unroll
        for (int n = 0; n < 16; ++n) {
            *reinterpret_cast<float*>(at + n * 16) = value.x;
            *reinterpret_cast<float*>(at + n * 16 + 8 * p.stride) = value.x;
        }
    }
}

__global__ void rows128(Place p, float2 value) {
    const int lane = threadIdx.x % 32;
    for (int pass_t = 0; pass_t < p.tiles * p.passes; ++pass_t) {
        const int t = pass_t % p.tiles;
        char* at = p.tile(warp_number(), t) + lane / 16 * p.stride + lane % 16 * 8;
#pragma unroll
        for (int n = 0; n < 16; ++n) {
            *reinterpret_cast<float2*>(at + n % 2 * 128 + n / 2 * 2 * p.stride) = value;
        }
    }
}

__global__ void lines(Place p, float2 value) {
    const int lane = threadIdx.x % 32;
    for (int pass_t = 0; pass_t < p.tiles * p.passes; ++pass_t) {
        const int t = pass_t % p.tiles;
        char* at = p.tile(warp_number(), t) + lane * 8;
#pragma unroll
        for (int n = 0; n < 16; ++n) {
            *reinterpret_cast<float2*>(at + n * p.stride) = value;
        }
    }
}

struct Kernel {
    const char* name;
    void (*kernel)(Place, float2);
};

}  // namespace

int main() {
    cudaDeviceProp gpu{};
    check(cudaGetDeviceProperties(&gpu, 0));
    char* memory = nullptr;
    check(cudaMalloc(&memory, 64U << 20));
    check(cudaMemset(memory, 0, 64U << 20));
    std::printf("# gpu: %s\nkernel,blocks,warps,tiles,stride,time_us\n", gpu.name);
    for (const auto& k : {Kernel{"rows32", rows32}, {"rows32_far", rows32_far}, {"rows16", rows16}, {"rows128", rows128},
                          {"lines", lines}}) {
        for (int blocks : {1, 8, 33, 66, 132}) {
            for (int warps : {4, 16}) {
                for (int stride : {2048, 16384}) {
                    const int tiles = warps == 4 ? 8 : 2;  // 16 MiB of all SMs
                    const Place place{memory, tiles, stride, stride / tile_bytes, passes};
                    const double time = median_us([&] { k.kernel<<<blocks, warps * 32>>>(place, {1, 2}); });
                    std::printf("%s,%d,%d,%d,%d,%.2f\n", k.name, blocks, warps, tiles, stride, time);
                }
            }
        }
    }
    return 0;
}
