// Loads of one kind each, for power.cu: products, integer arithmetic, reads of shared memory, L2 and DRAM,
// tensor copies, a warp's and a warp group's products. `values`: what they compute with.
#pragma once

#include "validate/kernels/mma_tile.cuh"
#include "validate/microbench/tensor/group_products.cuh"

namespace gpumodel::microbench {

using namespace kernels;

__global__ void __launch_bounds__(1024) ffma_load(float* out, int rounds, Values values) {
    float x[8];
    for (int i = 0; i < 8; ++i) {
        x[i] = value_of(threadIdx.x * 8 + i, 3, values);
    }
    const float a = value_of(threadIdx.x, 5, values), b = value_of(threadIdx.x, 7, values);
    for (int r = 0; r < rounds; ++r) {
#pragma unroll 8
        for (int k = 0; k < 8; ++k) {
#pragma unroll
            for (int i = 0; i < 8; ++i) {
                x[i] = fmaf(x[i], a, b);
            }
        }
    }
    float sum = 0;
    for (int i = 0; i < 8; ++i) {
        sum += x[i];
    }
    out[blockIdx.x * 1024 + threadIdx.x] = sum;
}
__global__ void __launch_bounds__(1024) imad_load(int* out, int rounds) {
    unsigned x[8];
    for (int i = 0; i < 8; ++i) {
        x[i] = mixed(threadIdx.x * 8 + i, 3);
    }
    const unsigned a = mixed(threadIdx.x, 5) | 1, b = mixed(threadIdx.x, 7);
    for (int r = 0; r < rounds; ++r) {
#pragma unroll 8
        for (int k = 0; k < 8; ++k) {
#pragma unroll
            for (int i = 0; i < 8; ++i) {
                x[i] = x[i] * a + b;
            }
        }
    }
    unsigned sum = 0;
    for (int i = 0; i < 8; ++i) {
        sum ^= x[i];
    }
    out[blockIdx.x * 1024 + threadIdx.x] = int(sum);
}
__global__ void __launch_bounds__(1024) shared_load(float* out, int rounds, Values values) {
    extern __shared__ float4 space[];
    for (int i = threadIdx.x; i < 2048; i += 1024) {
        space[i] = {value_of(i, 1, values), value_of(i, 2, values), value_of(i, 3, values),
                    value_of(i, 4, values)};
    }
    __syncthreads();
    unsigned sum = 0;
    for (int r = 0; r < rounds; ++r) {
#pragma unroll
        for (int k = 0; k < 8; ++k) {
            uint4 v;
            asm volatile(
                "ld.shared.v4.u32 {%0,%1,%2,%3}, [%4];"
                : "=r"(v.x), "=r"(v.y), "=r"(v.z), "=r"(v.w)
                : "r"(unsigned(__cvta_generic_to_shared(space + ((threadIdx.x + 64 * (k + r)) & 2047)))));
            sum ^= v.x ^ v.y ^ v.z ^ v.w;  // all of it: the assembler narrows a load that is not used
        }
    }
    out[blockIdx.x * 1024 + threadIdx.x] = __uint_as_float(sum);
}
__global__ void __launch_bounds__(1024) read_load(float* out, const float4* from, size_t count, int rounds) {
    float sum = 0;
    const size_t stride = size_t(gridDim.x) * 1024;
    for (int r = 0; r < rounds; ++r) {
        for (size_t i = blockIdx.x * size_t(1024) + threadIdx.x; i < count; i += 8 * stride) {
#pragma unroll
            for (int k = 0; k < 8; ++k) {
                if (i + k * stride < count) {
                    const float4 v = __ldcg(from + i + k * stride);
                    sum += v.x + v.y + v.z + v.w;
                }
            }
        }
    }
    out[blockIdx.x * 1024 + threadIdx.x] = sum;
}
// Boxes of 64 x 128 halves (16 KiB), eight under way per SM, of another place of the matrix each time.
__global__ void __launch_bounds__(32) copy_load(const __grid_constant__ TensorMap map, int rows, int rounds) {
#if defined(GPUMODEL_WGMMA)
    extern __shared__ __align__(1024) unsigned char ring_space[];
    const unsigned base = shared_address(ring_space), full = base + 8 * 16384;
    if (threadIdx.x == 0 && rounds > 0) {
        for (int s = 0; s < 8; ++s) {
            barrier_init(full + 8 * s, 1);
        }
        asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
        const int boxes = rows / 128;
        for (int i = 0; i < rounds; ++i) {
            const int s = i % 8;
            if (i >= 8) {
                barrier_wait(full + 8 * s, unsigned(i / 8 - 1) & 1);
            }
            barrier_expect(full + 8 * s, 16384);
            copy_box(base + s * 16384, map, 0,
                     int((blockIdx.x * 37u + unsigned(i) * 61u) % unsigned(boxes)) * 128, full + 8 * s);
        }
        for (int i = max(0, rounds - 8); i < rounds; ++i) {
            barrier_wait(full + 8 * (i % 8), unsigned(i / 8) & 1);
        }
    }
#endif
}
template <int TYPE>
__global__ void __launch_bounds__(256) mma_load(float* out, int rounds, Values values) {
    unsigned a[4], b[8];
    const auto pair = [&](unsigned i) {
        const float x = value_of(2 * i, 11, values), y = value_of(2 * i + 1, 11, values);
        return TYPE == 1 ? __float_as_uint(x) >> 16 | (__float_as_uint(y) & 0xffff0000u)
                         : unsigned(__half_as_ushort(__float2half(x))) |
                               unsigned(__half_as_ushort(__float2half(y))) << 16;
    };
    for (int i = 0; i < 4; ++i) {
        a[i] = pair(threadIdx.x * 12 + i);
    }
    for (int i = 0; i < 8; ++i) {
        b[i] = pair(threadIdx.x * 12 + 4 + i);
    }
    Sums<0> s[4] = {};
    for (int r = 0; r < rounds; ++r) {
#pragma unroll
        for (int k = 0; k < 4; ++k) {
#pragma unroll
            for (int i = 0; i < 4; ++i) {
                multiply<TYPE>(s[i], a, b[(2 * i + k) & 7], b[(2 * i + 1 + k) & 7]);
            }
        }
    }
    out[blockIdx.x * 256 + threadIdx.x] = s[0].c[0] + s[1].c[1] + s[2].c[2] + s[3].c[3];
}
// Two warp groups, each with rows of its own; `pause` cycles without products after each sixteen.
template <int N, int TYPE, bool PAUSES>
__global__ void __launch_bounds__(256) group_load(float* out, int rounds, Values values, int pause) {
#if defined(GPUMODEL_WGMMA)
    extern __shared__ __align__(1024) unsigned char ring_space[];
    auto* words = reinterpret_cast<unsigned short*>(ring_space);
    for (int i = threadIdx.x; i < 2 * 64 * 64 + 64 * N; i += 256) {
        const float x = value_of(i, 13, values);
        words[i] = TYPE == 1 ? static_cast<unsigned short>(__float_as_uint(x) >> 16)
                             : __half_as_ushort(__float2half(x));
    }
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    __syncthreads();
    const unsigned base = shared_address(ring_space), mine = base + warp_number() / 4 * 8192,
                   b = base + 16384;
    float sums[1][N / 2];
    for (int r = 0; r < rounds; ++r) {
        products_begin();
#pragma unroll
        for (int k = 0; k < 16; ++k) {
            multiply_group<TYPE>(sums[0], descriptor(mine + (k % 4) * 32, 16),
                                 descriptor(b + (k % 4) * 2048, 8192), r > 0 || k > 0);
        }
        products_end_group();
        if (PAUSES) {
            products_wait<0>();
            const long long begin = clock64();
            while (clock64() - begin < pause) {
            }
        } else {
            products_wait<1>();
        }
    }
    products_wait<0>();
    hold(sums);
    float sum = 0;
    for (int i = 0; i < N / 2; ++i) {
        sum += sums[0][i];
    }
    out[blockIdx.x * 256 + threadIdx.x] = sum;
#endif
}

}  // namespace gpumodel::microbench
