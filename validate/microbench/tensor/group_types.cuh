// What type_clock.cu runs: loops of warp groups' products of any type that note their own clock and progress,
// and the operands of whole products.
#pragma once

#include <cuda_bf16.h>

#include "validate/measure/fill.cuh"
#include "validate/microbench/tensor/group_products.cuh"

namespace gpumodel::microbench {

// Of a block on the way: nanoseconds, cycles, products that one of its two groups has begun.
struct Mark {
    unsigned long long ns, cycles;
    int products;
};
constexpr int marks_apart = 16;  // trips of the loop

// A word of operands: two, one or four of them.
template <int TYPE>
__device__ unsigned operands(unsigned i, Values values) {
    if (values == zeros) {
        return 0;
    }
    if (TYPE == 3) {
        return mixed(mixed(i, 13), 17);
    }
    if (TYPE == 2) {
        return __float_as_uint(value_of(i, 13, values));
    }
    const float low = value_of(2 * i, 13, values), high = value_of(2 * i + 1, 13, values);
    if (TYPE == 1) {
        return __bfloat16_as_ushort(__float2bfloat16(low)) |
               unsigned(__bfloat16_as_ushort(__float2bfloat16(high))) << 16;
    }
    return __half_as_ushort(__float2half(low)) | unsigned(__half_as_ushort(__float2half(high))) << 16;
}

template <int TYPE>
using LoopTile = kernels::GroupTile<128, 256, 128 / kernels::Elements<TYPE>::bytes, 4, 2, TYPE>;

// Two warp groups, each with rows of its own, go round four stages of operands: sixteen products a trip, and
// `pause` cycles without any after each.
template <int TYPE, bool PAUSES>
__global__ void __launch_bounds__(256, 1)
    type_load(Mark* marks, int marks_of_block, unsigned* out, int trips, Values values, int pause) {
#if defined(GPUMODEL_WGMMA)
    using T = LoopTile<TYPE>;
    using namespace kernels;
    extern __shared__ __align__(1024) unsigned char ring_space[];
    for (unsigned i = threadIdx.x; i < T::stages * T::stage_bytes / 4; i += 256) {
        reinterpret_cast<unsigned*>(ring_space)[i] = operands<TYPE>(i + 7919 * blockIdx.x, values);
    }
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    __syncthreads();
    const unsigned base = shared_address(ring_space);
    const int rows = warp_number() / 4 * 64;
    constexpr int products = T::stages * T::bk / T::E::step;  // of a trip
    typename T::Sum sums[1][T::bn / 2];
    for (int i = 0; i < trips; ++i) {
        if (threadIdx.x == 0 && i % marks_apart == 0 && i / marks_apart < marks_of_block) {
            unsigned long long ns, cycles;
            asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(ns)::"memory");
            asm volatile("mov.u64 %0, %%clock64;" : "=l"(cycles)::"memory");
            marks[blockIdx.x * marks_of_block + i / marks_apart] = {ns, cycles, i * products};
        }
#pragma unroll
        for (int stage = 0; stage < T::stages; ++stage) {
            multiply_stage<T>(sums, base + stage * T::stage_bytes, rows, i == 0 && stage == 0);
            if (PAUSES && stage == T::stages - 1) {
                products_wait<0>();
            } else {
                products_wait<1>();
            }
        }
        if (PAUSES) {
            const long long begin = clock64();
            while (clock64() - begin < pause) {
            }
        }
    }
    products_wait<0>();
    hold(sums);
    unsigned sum = 0;
    for (int i = 0; i < T::bn / 2; ++i) {
        sum ^= TYPE == 3 ? unsigned(sums[0][i]) : __float_as_uint(float(sums[0][i]));
    }
    out[blockIdx.x * 256 + threadIdx.x] = sum;
#endif
}

// A warp-group kernel of one type with its operands.
struct TypeTile {
    const char* name;
    const void* code;
    int bm, bn, bk, stages, threads;
    bool linear;
    measure::Element element;
};

inline int bytes_of(measure::Element element) {
    return element == measure::Element::s8 ? 1 : element == measure::Element::tf32 ? 4 : 2;
}

// C = A*B as Product, of any type; operands as gpumodel-measure's, or zeros.
class TypeProduct {
public:
    TypeProduct(const TypeTile& tile, int m, int n, int k, bool random)
        : tile_(tile),
          m_(m),
          n_(n),
          k_(k),
          shared_(tile.stages * (bytes_of(tile.element) * (tile.bm + tile.bn) * tile.bk + 16)) {
        const size_t a_words = size_t(m) * k * bytes_of(tile.element) / 4;
        const size_t b_words = size_t(n) * k * bytes_of(tile.element) / 4;
        CHECK(cudaMalloc(&a_, 4 * a_words));
        CHECK(cudaMalloc(&b_, 4 * b_words));
        CHECK(cudaMalloc(&c_, size_t(m) * n * 4));
        CHECK(cudaMemset(a_, 0, 4 * a_words));
        CHECK(cudaMemset(b_, 0, 4 * b_words));
        if (random) {
            measure::fill(a_, a_words, 1, tile.element);
            measure::fill(b_, b_words, 77, tile.element);
        }
        CHECK(cudaDeviceSynchronize());
        const bool by_columns = measure::by_columns(tile.element);
        map_a_ = measure::tensor_map(a_, tile.element, m, k, tile.bm);
        map_b_ = by_columns ? measure::tensor_map(b_, tile.element, n, k, tile.bn)
                            : measure::tensor_map(b_, tile.element, k, n, tile.bk);
        CHECK(cudaFuncSetAttribute(tile.code, cudaFuncAttributeMaxDynamicSharedMemorySize, shared_));
    }
    ~TypeProduct() {
        cudaFree(a_);
        cudaFree(b_);
        cudaFree(c_);
    }
    TypeProduct(const TypeProduct&) = delete;
    TypeProduct& operator=(const TypeProduct&) = delete;

    void launch(cudaStream_t stream) {
        const unsigned rows = unsigned(m_ / tile_.bm), columns = unsigned(n_ / tile_.bn);
        void* arguments[] = {&m_, &n_, &k_, &map_a_, &map_b_, &c_};
        CHECK(cudaLaunchKernel(tile_.code, tile_.linear ? dim3(rows * columns) : dim3(columns, rows),
                               dim3(unsigned(tile_.threads)), arguments, size_t(shared_), stream));
    }

private:
    const TypeTile& tile_;
    int m_, n_, k_, shared_;
    float *a_ = nullptr, *b_ = nullptr, *c_ = nullptr;
    CUtensorMap map_a_, map_b_;
};

}  // namespace gpumodel::microbench
