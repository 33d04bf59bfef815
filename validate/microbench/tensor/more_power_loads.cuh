// More loads of one kind each, for power.cu: other arithmetic, TF32 and 8-bit products, reads from L1,
// writes.
#pragma once

#include <cuda_fp16.h>

#include "validate/microbench/tensor/power_loads.cuh"

namespace gpumodel::microbench {

// Two operations a step: an addition and an exclusive or.
__global__ void __launch_bounds__(1024) add_xor_load(unsigned* out, int rounds) {
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
                asm volatile("add.u32 %0, %0, %1;" : "+r"(x[i]) : "r"(a));
                asm volatile("xor.b32 %0, %0, %1;" : "+r"(x[i]) : "r"(b));
            }
        }
    }
    unsigned sum = 0;
    for (int i = 0; i < 8; ++i) {
        sum ^= x[i];
    }
    out[blockIdx.x * 1024 + threadIdx.x] = sum;
}

__global__ void __launch_bounds__(1024) half_load(float* out, int rounds) {
    __half2 x[8];
    for (int i = 0; i < 8; ++i) {
        x[i] = __floats2half2_rn(value_of(threadIdx.x * 8 + i, 3, random_values),
                                 value_of(threadIdx.x * 8 + i, 4, random_values));
    }
    const __half2 a = __floats2half2_rn(-1.0f, 1.0f),
                  b = __floats2half2_rn(value_of(threadIdx.x, 5, random_values), 0.37f);
    for (int r = 0; r < rounds; ++r) {
#pragma unroll 8
        for (int k = 0; k < 8; ++k) {
#pragma unroll
            for (int i = 0; i < 8; ++i) {
                x[i] = __hfma2(x[i], a, b);
            }
        }
    }
    float sum = 0;
    for (int i = 0; i < 8; ++i) {
        sum += __low2float(x[i]);
    }
    out[blockIdx.x * 1024 + threadIdx.x] = sum;
}

__global__ void __launch_bounds__(1024) double_load(double* out, int rounds) {
    double x[8];
    for (int i = 0; i < 8; ++i) {
        x[i] = double(value_of(threadIdx.x * 8 + i, 3, random_values)) * 1.0000001;
    }
    const double a = -1.0 + 1e-9 * threadIdx.x, b = value_of(threadIdx.x, 7, random_values);
    for (int r = 0; r < rounds; ++r) {
#pragma unroll 8
        for (int k = 0; k < 8; ++k) {
#pragma unroll
            for (int i = 0; i < 8; ++i) {
                x[i] = fma(x[i], a, b);
            }
        }
    }
    double sum = 0;
    for (int i = 0; i < 8; ++i) {
        sum += x[i];
    }
    out[blockIdx.x * 1024 + threadIdx.x] = sum;
}

// Factors near -1, so that the values stay where they are instead of running out of the number range.
__global__ void __launch_bounds__(1024) steady_ffma_load(float* out, int rounds) {
    float x[8];
    for (int i = 0; i < 8; ++i) {
        x[i] = value_of(threadIdx.x * 8 + i, 3, random_values);
    }
    const float a = -1.0f + 1e-6f * float(threadIdx.x), b = value_of(threadIdx.x, 7, random_values);
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

__global__ void __launch_bounds__(1024) sine_load(float* out, int rounds) {
    float x[8];
    for (int i = 0; i < 8; ++i) {
        x[i] = value_of(threadIdx.x * 8 + i, 3, random_values);
    }
    for (int r = 0; r < rounds; ++r) {
#pragma unroll
        for (int k = 0; k < 8; ++k) {
#pragma unroll
            for (int i = 0; i < 8; ++i) {
                asm volatile("ex2.approx.ftz.f32 %0, %0;" : "+f"(x[i]));
            }
        }
    }
    float sum = 0;
    for (int i = 0; i < 8; ++i) {
        sum += x[i];
    }
    out[blockIdx.x * 1024 + threadIdx.x] = sum;
}

// KIND 0: TF32, 1: 8-bit integers. 16 products a round.
template <int KIND>
__global__ void __launch_bounds__(256) other_mma_load(float* out, int rounds) {
    unsigned a[4], b[8];
    for (int i = 0; i < 4; ++i) {
        a[i] = KIND == 0 ? __float_as_uint(value_of(threadIdx.x * 12 + i, 11, random_values))
                         : mixed(threadIdx.x * 12 + i, 11);
    }
    for (int i = 0; i < 8; ++i) {
        b[i] = KIND == 0 ? __float_as_uint(value_of(threadIdx.x * 12 + 4 + i, 11, random_values))
                         : mixed(threadIdx.x * 12 + 4 + i, 11);
    }
    float s[4][4] = {};
    int t[4][4] = {};
    for (int r = 0; r < rounds; ++r) {
#pragma unroll
        for (int k = 0; k < 4; ++k) {
#pragma unroll
            for (int i = 0; i < 4; ++i) {
                if (KIND == 0) {
                    asm("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, "
                        "{%8,%9}, "
                        "{%0,%1,%2,%3};"
                        : "+f"(s[i][0]), "+f"(s[i][1]), "+f"(s[i][2]), "+f"(s[i][3])
                        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[(2 * i + k) & 7]),
                          "r"(b[(2 * i + 1 + k) & 7]));
                } else {
                    asm("mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, "
                        "{%8,%9}, "
                        "{%0,%1,%2,%3};"
                        : "+r"(t[i][0]), "+r"(t[i][1]), "+r"(t[i][2]), "+r"(t[i][3])
                        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[(2 * i + k) & 7]),
                          "r"(b[(2 * i + 1 + k) & 7]));
                }
            }
        }
    }
    out[blockIdx.x * 256 + threadIdx.x] =
        s[0][0] + s[1][1] + s[2][2] + s[3][3] + t[0][0] + t[1][1] + t[2][2] + t[3][3];
}

// 16 bytes a lane into shared memory.
__global__ void __launch_bounds__(1024) shared_write_load(float* out, int rounds) {
    extern __shared__ float4 space[];
    float4 v;
    v.x = value_of(threadIdx.x, 1, random_values);
    v.y = value_of(threadIdx.x, 2, random_values);
    v.z = value_of(threadIdx.x, 3, random_values);
    v.w = value_of(threadIdx.x, 4, random_values);
    for (int r = 0; r < rounds; ++r) {
#pragma unroll
        for (int k = 0; k < 8; ++k) {
            asm volatile("st.shared.v4.f32 [%0], {%1,%2,%3,%4};" ::"r"(unsigned(
                             __cvta_generic_to_shared(space + ((threadIdx.x + 64 * (k + r)) & 2047)))),
                         "f"(v.x), "f"(v.y), "f"(v.z), "f"(v.w)
                         : "memory");
        }
    }
    __syncthreads();
    out[blockIdx.x * 1024 + threadIdx.x] = space[threadIdx.x].x;
}

// 32 KiB of each block's own, through L1: WORDS words a lane.
template <int WORDS>
__global__ void __launch_bounds__(1024) l1_load(unsigned* out, const unsigned* from, int rounds) {
    const unsigned* mine = from + blockIdx.x * 8192;
    unsigned sum = 0;
    for (int r = 0; r < rounds; ++r) {
#pragma unroll
        for (int k = 0; k < 8; ++k) {
            const unsigned* at = mine + ((threadIdx.x + 64 * (k + r)) * WORDS & 8191);
            if (WORDS == 4) {
                uint4 v;
                asm volatile("ld.global.ca.v4.u32 {%0,%1,%2,%3}, [%4];"
                             : "=r"(v.x), "=r"(v.y), "=r"(v.z), "=r"(v.w)
                             : "l"(at));
                sum ^= v.x ^ v.y ^ v.z ^ v.w;
            } else {
                unsigned v;
                asm volatile("ld.global.ca.u32 %0, [%1];" : "=r"(v) : "l"(at));
                sum ^= v;
            }
        }
    }
    out[blockIdx.x * 1024 + threadIdx.x] = sum;
}

// Reads of shared memory by what the lanes ask for. PATTERN 0: neighbouring words, 1: the same word, 2: words
// of one bank for eight lanes each; WORDS words a lane. Volatile, so that every read is made in full.
template <int WORDS, int PATTERN>
__global__ void __launch_bounds__(1024) shared_pattern_load(unsigned* out, int rounds) {
    extern __shared__ unsigned words[];
    for (int i = threadIdx.x; i < 8192; i += 1024) {
        words[i] = mixed(i, 1);
    }
    __syncthreads();
    const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    const unsigned mine = PATTERN == 0   ? threadIdx.x * WORDS
                          : PATTERN == 1 ? warp * 32 * WORDS
                                         : lane % 8 * 32 + lane / 8 + warp * 4;
    const unsigned base = unsigned(__cvta_generic_to_shared(words));
    unsigned sum = 0;
    for (int r = 0; r < rounds; ++r) {
#pragma unroll
        for (int k = 0; k < 8; ++k) {
            const unsigned at = base + ((mine + 256 * (k + r)) & 8191 & ~(WORDS - 1)) * 4;
            if (WORDS == 4) {
                uint4 v;
                asm volatile("ld.volatile.shared.v4.u32 {%0,%1,%2,%3}, [%4];"
                             : "=r"(v.x), "=r"(v.y), "=r"(v.z), "=r"(v.w)
                             : "r"(at)
                             : "memory");
                sum ^= v.x ^ v.y ^ v.z ^ v.w;
            } else {
                unsigned v;
                asm volatile("ld.volatile.shared.u32 %0, [%1];" : "=r"(v) : "r"(at) : "memory");
                sum ^= v;
            }
        }
    }
    out[blockIdx.x * 1024 + threadIdx.x] = sum;
}
// ldmatrix of four 8x8 matrices, rows of 16 bytes one after the other.
__global__ void __launch_bounds__(1024) matrix_load(unsigned* out, int rounds) {
    extern __shared__ unsigned words[];
    for (int i = threadIdx.x; i < 8192; i += 1024) {
        words[i] = mixed(i, 1);
    }
    __syncthreads();
    const unsigned base = unsigned(__cvta_generic_to_shared(words));
    unsigned sum = 0;
    for (int r = 0; r < rounds; ++r) {
#pragma unroll
        for (int k = 0; k < 8; ++k) {
            unsigned v[4];
            kernels::load_matrices<false>(v, base + ((threadIdx.x + 64 * (k + r)) & 2047) * 16);
            sum ^= v[0] ^ v[1] ^ v[2] ^ v[3];
        }
    }
    out[blockIdx.x * 1024 + threadIdx.x] = sum;
}
// Through L1, all lanes of a warp the same word; the warp's moves on.
__global__ void __launch_bounds__(1024) l1_broadcast_load(unsigned* out, const unsigned* from, int rounds) {
    const unsigned* mine = from + blockIdx.x * 8192;
    unsigned sum = 0;
    for (int r = 0; r < rounds; ++r) {
#pragma unroll
        for (int k = 0; k < 8; ++k) {
            unsigned v;
            asm volatile("ld.global.ca.u32 %0, [%1];"
                         : "=r"(v)
                         : "l"(mine + ((threadIdx.x / 32 * 64 + 8 * (k + r)) & 8191)));
            sum ^= v;
        }
    }
    out[blockIdx.x * 1024 + threadIdx.x] = sum;
}

// What index arithmetic does: small steps and few bits.
__global__ void __launch_bounds__(1024) index_load(unsigned* out, int rounds) {
    unsigned x[8];
    for (int i = 0; i < 8; ++i) {
        x[i] = threadIdx.x * 16 + i * 4096;
    }
    for (int r = 0; r < rounds; ++r) {
#pragma unroll 8
        for (int k = 0; k < 8; ++k) {
#pragma unroll
            for (int i = 0; i < 8; ++i) {
                asm volatile("add.u32 %0, %0, 16;" : "+r"(x[i]));
                asm volatile("and.b32 %0, %0, 0xffffff;" : "+r"(x[i]));
            }
        }
    }
    unsigned sum = 0;
    for (int i = 0; i < 8; ++i) {
        sum ^= x[i];
    }
    out[blockIdx.x * 1024 + threadIdx.x] = sum;
}

// Outer products of 8 and 8 values in registers, added up.
__global__ void __launch_bounds__(256) outer_load(float* out, int rounds) {
    float a[8], b[8], sums[8][8] = {};
    for (int i = 0; i < 8; ++i) {
        a[i] = value_of(threadIdx.x * 16 + i, 3, random_values);
        b[i] = value_of(threadIdx.x * 16 + 8 + i, 3, random_values);
    }
    for (int r = 0; r < rounds; ++r) {
#pragma unroll
        for (int k = 0; k < 8; ++k) {
#pragma unroll
            for (int i = 0; i < 8; ++i) {
#pragma unroll
                for (int j = 0; j < 8; ++j) {
                    sums[i][j] = fmaf(a[(i + k) % 8], b[j], sums[i][j]);
                }
            }
        }
    }
    float sum = 0;
    for (int i = 0; i < 8; ++i) {
        for (int j = 0; j < 8; ++j) {
            sum += sums[i][j];
        }
    }
    out[blockIdx.x * 256 + threadIdx.x] = sum;
}

__global__ void __launch_bounds__(1024) write_load(float4* to, size_t count, int rounds) {
    const size_t stride = size_t(gridDim.x) * 1024;
    float4 v;
    v.x = value_of(threadIdx.x, 1, random_values);
    v.y = value_of(threadIdx.x, 2, random_values);
    v.z = value_of(threadIdx.x, 3, random_values);
    v.w = value_of(threadIdx.x, 4, random_values);
    for (int r = 0; r < rounds; ++r) {
        for (size_t i = blockIdx.x * size_t(1024) + threadIdx.x; i < count; i += stride) {
            v.x += 1.1f;
            to[i] = v;
        }
    }
}
__global__ void __launch_bounds__(1024) copy_words_load(float4* to, const float4* from, size_t count) {
    const size_t stride = size_t(gridDim.x) * 1024;
    for (size_t i = blockIdx.x * size_t(1024) + threadIdx.x; i < count; i += 4 * stride) {
        float4 v[4];
#pragma unroll
        for (int k = 0; k < 4; ++k) {
            if (i + k * stride < count) {
                v[k] = from[i + k * stride];
            }
        }
#pragma unroll
        for (int k = 0; k < 4; ++k) {
            if (i + k * stride < count) {
                to[i + k * stride] = v[k];
            }
        }
    }
}

// Warps that do nothing but branch and look at a clock.
__global__ void __launch_bounds__(1024) spin_load(float* out, int cycles) {
    const long long begin = clock64();
    while (clock64() - begin < cycles) {
    }
    out[blockIdx.x * 1024 + threadIdx.x] = 0;
}
// Warps that sleep: SMs awake, nothing issued.
__global__ void __launch_bounds__(1024) sleep_load(float* out, int cycles) {
    const long long begin = clock64();
    while (clock64() - begin < cycles) {
        __nanosleep(100000);
    }
    out[blockIdx.x * 1024 + threadIdx.x] = 0;
}

}  // namespace gpumodel::microbench
