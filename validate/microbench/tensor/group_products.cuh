// Five of the warp groups' products with their operands, ready to be launched: what group_clock.cu times and
// counts, and power.cu loads the GPU with.
#pragma once

#include <cuda_fp16.h>

#include <algorithm>

#include "validate/kernels/wgmma_groups.cuh"
#include "validate/measure/cuda_status.cuh"
#include "validate/measure/tensor_map.cuh"

#define CHECK(x) gpumodel::measure::require((x), #x)

namespace gpumodel::microbench {

__device__ inline unsigned mixed(unsigned i, unsigned seed) {
    unsigned x = i * 2654435761u + seed;
    x ^= x >> 16;
    x *= 2246822519u;
    return x ^ x >> 13;
}

enum Values { zeros = 0, nine_values = 1, random_values = 2 };  // nine from -1 to 1; any of [-1, 1)
__device__ inline float value_of(unsigned i, unsigned seed, Values values) {
    const unsigned x = mixed(i, seed);
    return values == zeros         ? 0
           : values == nine_values ? int(x % 9) * 0.25f - 1
                                   : float(x) * (2.0f / 4294967296.0f) - 1;
}
static __global__ void fill(unsigned short* p, size_t n, unsigned seed, Values values, bool bf16) {
    for (size_t i = blockIdx.x * size_t(blockDim.x) + threadIdx.x; i < n;
         i += size_t(gridDim.x) * blockDim.x) {
        const float value = value_of(unsigned(i), seed, values);
        p[i] = bf16 ? static_cast<unsigned short>(__float_as_uint(value) >> 16)
                    : __half_as_ushort(__float2half(value));
    }
}

struct Tile {
    const char* name;
    const char* label;  // short
    const void* code;
    int bm, bn, bk, stages, threads;
    bool linear, bf16;
};
// clang-format off
inline const Tile tiles[] = {
    {"wgmma_warp_specialized BM=128;BN=256;BK=64;STAGES=4;CONSUMERS=2;PERSISTENT=0;RASTER=8;TYPE=f16", "ws 128x256x64 s4 c2 f16",
     (const void*)kernels::wgmma_warp_specialized<128, 256, 64, 4, 2, 0, 8, 0>, 128, 256, 64, 4, 384, true, false},
    {"wgmma_warp_specialized BM=128;BN=256;BK=64;STAGES=4;CONSUMERS=2;PERSISTENT=0;RASTER=8;TYPE=bf16", "ws 128x256x64 s4 c2 bf16",
     (const void*)kernels::wgmma_warp_specialized<128, 256, 64, 4, 2, 0, 8, 1>, 128, 256, 64, 4, 384, true, true},
    {"wgmma_warp_specialized BM=64;BN=128;BK=64;STAGES=6;CONSUMERS=1;PERSISTENT=0;RASTER=8;TYPE=f16", "ws 64x128x64 s6 c1 f16",
     (const void*)kernels::wgmma_warp_specialized<64, 128, 64, 6, 1, 0, 8, 0>, 64, 128, 64, 6, 256, true, false},
    {"wgmma_tma BM=128;BN=128;BK=64;STAGES=4;TYPE=f16", "tma 128x128x64 s4 f16",
     (const void*)kernels::wgmma_tma<128, 128, 64, 4, 0>, 128, 128, 64, 4, 128, false, false},
    {"wgmma_tma BM=64;BN=64;BK=64;STAGES=4;TYPE=f16", "tma 64x64x64 s4 f16",
     (const void*)kernels::wgmma_tma<64, 64, 64, 4, 0>, 64, 64, 64, 4, 128, false, false}};
// clang-format on

// C = A*B of one tile and shape, with the operands that it needs.
class Product {
public:
    Product(const Tile& tile, int m, int n, int k, Values values)
        : tile_(tile), m_(m), n_(n), k_(k), shared_(tile.stages * (2 * (tile.bm + tile.bn) * tile.bk + 16)) {
        CHECK(cudaMalloc(&a_, size_t(m) * k * 2));
        CHECK(cudaMalloc(&b_, size_t(n) * k * 2));
        CHECK(cudaMalloc(&c_, size_t(m) * n * 4));
        fill<<<1024, 256>>>(a_, size_t(m) * k, 1, values, tile.bf16);
        fill<<<1024, 256>>>(b_, size_t(n) * k, 77, values, tile.bf16);
        CHECK(cudaDeviceSynchronize());
        const auto element = tile.bf16 ? measure::Element::bf16 : measure::Element::f16;
        map_a_ = measure::tensor_map(a_, element, m, k, tile.bm);
        map_b_ = measure::tensor_map(b_, element, k, n, tile.bk);
        CHECK(cudaFuncSetAttribute(tile.code, cudaFuncAttributeMaxDynamicSharedMemorySize, shared_));
    }
    ~Product() {
        cudaFree(a_);
        cudaFree(b_);
        cudaFree(c_);
    }
    Product(const Product&) = delete;
    Product& operator=(const Product&) = delete;

    void launch(cudaStream_t stream) {
        const unsigned rows = m_ / tile_.bm, columns = n_ / tile_.bn;
        void* arguments[] = {&m_, &n_, &k_, &map_a_, &map_b_, &c_};
        CHECK(cudaLaunchKernel(tile_.code, tile_.linear ? dim3(rows * columns) : dim3(columns, rows),
                               dim3(tile_.threads), arguments, shared_, stream));
    }

private:
    const Tile& tile_;
    int m_, n_, k_, shared_;
    unsigned short *a_ = nullptr, *b_ = nullptr;
    float* c_ = nullptr;
    CUtensorMap map_a_, map_b_;
};

}  // namespace gpumodel::microbench
