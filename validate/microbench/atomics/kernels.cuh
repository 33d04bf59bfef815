// Atomic operations by type, form, contention and place. Each thread works on one word:
//   word = ((thread >> shift) & mask) * stride
// `red`: the result is not used, `atom`: it is. Memory is zero before the first launch. Compiled alone, the
// listing of this file is what predictions run:
//   nvcc -std=c++17 -O3 -arch=sm_90 -cubin -x cu -o kernels.cubin kernels.cuh
//   cuobjdump -sass kernels.cubin | gzip -9n > sm_90.sass.gz
#pragma once

#include <cuda_fp16.h>

namespace gpumodel::atomics {

__device__ inline unsigned thread_number() {
    return blockIdx.x * blockDim.x + threadIdx.x;
}

#define ATOMICS_GLOBAL(NAME, TYPE, OPERATION)                                                   \
    extern "C" __global__ void NAME(TYPE* data, int shift, int mask, int stride, int rounds) {  \
        TYPE* word = data + static_cast<long long>((thread_number() >> shift) & mask) * stride; \
        for (int r = 0; r < rounds; ++r) {                                                      \
            OPERATION;                                                                          \
        }                                                                                       \
    }

ATOMICS_GLOBAL(red_add_i32, int, atomicAdd(word, r + 3))
ATOMICS_GLOBAL(red_max_i32, int, atomicMax(word, r + 3))
ATOMICS_GLOBAL(red_add_u64, unsigned long long, atomicAdd(word, static_cast<unsigned long long>(r) + 3))
ATOMICS_GLOBAL(red_add_f32, float, atomicAdd(word, 0.5f))
ATOMICS_GLOBAL(red_add_f64, double, atomicAdd(word, 0.5))
ATOMICS_GLOBAL(red_add_f16x2, __half2, atomicAdd(word, __half2(0.5f, 0.25f)))
ATOMICS_GLOBAL(red_add_f32x4, float4, atomicAdd(word, make_float4(0.5f, 0.25f, 1, 2)))

// The sum of the results is stored where it can never be.
#define ATOMICS_RESULT(NAME, TYPE, START, OPERATION)                                            \
    extern "C" __global__ void NAME(TYPE* data, int shift, int mask, int stride, int rounds) {  \
        TYPE* word = data + static_cast<long long>((thread_number() >> shift) & mask) * stride; \
        TYPE sum = START;                                                                       \
        for (int r = 0; r < rounds; ++r) {                                                      \
            OPERATION;                                                                          \
        }                                                                                       \
        if (rounds < 0) {                                                                       \
            *word = sum;                                                                        \
        }                                                                                       \
    }

ATOMICS_RESULT(atom_add_i32, int, 0, sum ^= atomicAdd(word, r + 3))
ATOMICS_RESULT(atom_exch_i32, int, 0, sum ^= atomicExch(word, r + 3))
ATOMICS_RESULT(atom_cas_i32, int, 0, sum ^= atomicCAS(word, -1, r + 3))
ATOMICS_RESULT(atom_add_u64, unsigned long long, 0,
               sum ^= atomicAdd(word, static_cast<unsigned long long>(r) + 3))
ATOMICS_RESULT(atom_cas_u64, unsigned long long, 0,
               sum ^= atomicCAS(word, ~0ULL, static_cast<unsigned long long>(r) + 3))
ATOMICS_RESULT(atom_add_f32, float, 0, sum += atomicAdd(word, 0.5f))
ATOMICS_RESULT(atom_add_f64, double, 0, sum += atomicAdd(word, 0.5))
ATOMICS_RESULT(atom_chain_i32, int, 3, sum = atomicAdd(word, sum) & 7)  // each waits for the last

// At an address of which the code does not know the memory: ATOM without a result, which says where it was done.
// The asm keeps the compiler from finding out.
#define ATOMICS_GENERIC(NAME, TYPE, DATA, OPERATION)                                                  \
    extern "C" __global__ void NAME(TYPE* data, int shift, int mask, int stride, int rounds) {        \
        TYPE* word = data + static_cast<long long>((thread_number() >> shift) & mask) * stride;       \
        for (int r = 0; r < rounds; ++r) {                                                            \
            asm volatile("{.reg .b" DATA "; red." OPERATION " [%0], t;}" ::"l"(word), "r"(r) : "memory"); \
        }                                                                                             \
    }

ATOMICS_GENERIC(generic_add_i32, int, "32 t; mov.b32 t, %1", "add.s32")
ATOMICS_GENERIC(generic_add_u64, unsigned long long, "64 t; cvt.u64.u32 t, %1", "add.u64")
ATOMICS_GENERIC(generic_add_f32, float, "32 t; mov.b32 t, 0x3f000000", "add.f32")
ATOMICS_GENERIC(generic_add_f64, double, "64 t; mov.b64 t, 0x3fe0000000000000", "add.f64")
ATOMICS_GENERIC(generic_add_f16x2, unsigned, "32 t; mov.b32 t, 0x34003800", "add.noftz.f16x2")
ATOMICS_GENERIC(generic_add_bf16x2, unsigned, "32 t; mov.b32 t, 0x3e803f00", "add.noftz.bf16x2")

// A product by compare-and-swap, as it is written where there is no atomic operation.
extern "C" __global__ void cas_loop_f32(float* data, int shift, int mask, int stride, int rounds) {
    int* word =
        reinterpret_cast<int*>(data) + static_cast<long long>((thread_number() >> shift) & mask) * stride;
    for (int r = 0; r < rounds; ++r) {
        int old = *reinterpret_cast<volatile int*>(word), assumed;
        do {
            assumed = old;
            old = atomicCAS(word, assumed, __float_as_int(__int_as_float(assumed) * 0.5f + 1));
        } while (assumed != old);
    }
}

#define ATOMICS_SHARED(NAME, TYPE, OPERATION)                                                  \
    extern "C" __global__ void NAME(TYPE* data, int shift, int mask, int stride, int rounds) { \
        __shared__ TYPE words[1024];                                                           \
        for (int i = threadIdx.x; i < 1024; i += blockDim.x) {                                 \
            words[i] = 0;                                                                      \
        }                                                                                      \
        __syncthreads();                                                                       \
        TYPE* word = words + ((threadIdx.x >> shift) & mask) * stride;                         \
        TYPE sum = 0;                                                                          \
        for (int r = 0; r < rounds; ++r) {                                                     \
            OPERATION;                                                                         \
        }                                                                                      \
        __syncthreads();                                                                       \
        data[thread_number()] = words[threadIdx.x] + sum;                                      \
    }

ATOMICS_SHARED(shared_inc_i32, int, atomicAdd(word, 1))
ATOMICS_SHARED(shared_add_i32, int, atomicAdd(word, r + static_cast<int>(threadIdx.x)))
ATOMICS_SHARED(shared_max_i32, int, atomicMax(word, r + static_cast<int>(threadIdx.x)))
ATOMICS_SHARED(shared_atom_i32, int, sum ^= atomicAdd(word, r + static_cast<int>(threadIdx.x)))
ATOMICS_SHARED(shared_exch_i32, int, sum ^= atomicExch(word, r + 3))
ATOMICS_SHARED(shared_cas_i32, int, sum ^= atomicCAS(word, -1, r + 3))
ATOMICS_SHARED(shared_add_u64, unsigned long long, atomicAdd(word, static_cast<unsigned long long>(r) + 3))
ATOMICS_SHARED(shared_add_f32, float, atomicAdd(word, 0.5f))
ATOMICS_SHARED(shared_sum_f32, float, atomicAdd(word, static_cast<float>(r)))
ATOMICS_SHARED(shared_add_f64, double, atomicAdd(word, 0.5))

// As people use them.
__device__ inline unsigned mixed(unsigned x) {
    x = (x ^ (x >> 16)) * 0x7feb352du;
    x = (x ^ (x >> 15)) * 0x846ca68bu;
    return x ^ (x >> 16);
}

extern "C" __global__ void use_histogram(int* bins, int mask, int n) {
    for (unsigned i = thread_number(); i < static_cast<unsigned>(n); i += gridDim.x * blockDim.x) {
        atomicAdd(bins + (mixed(i) & mask), 1);
    }
}

extern "C" __global__ void use_histogram_shared(int* bins, int mask, int n) {
    __shared__ int own[1024];
    for (int b = threadIdx.x; b <= mask; b += blockDim.x) {
        own[b] = 0;
    }
    __syncthreads();
    for (unsigned i = thread_number(); i < static_cast<unsigned>(n); i += gridDim.x * blockDim.x) {
        atomicAdd(own + (mixed(i) & mask), 1);
    }
    __syncthreads();
    for (int b = threadIdx.x; b <= mask; b += blockDim.x) {
        atomicAdd(bins + b, own[b]);
    }
}

extern "C" __global__ void use_scatter_f32(float* out, int mask, int n) {
    for (unsigned i = thread_number(); i < static_cast<unsigned>(n); i += gridDim.x * blockDim.x) {
        atomicAdd(out + (mixed(i) & mask), 0.5f);
    }
}

extern "C" __global__ void use_warp_sums(const float* in, float* out, int n) {
    const unsigned i = thread_number();
    float x = i < static_cast<unsigned>(n) ? in[i] : 0;
    for (int d = 16; d > 0; d /= 2) {
        x += __shfl_down_sync(0xffffffffu, x, d);
    }
    if (threadIdx.x % 32 == 0) {
        atomicAdd(out, x);
    }
}

extern "C" __global__ void use_maximum(const int* in, int* out, int n) {
    int most = 0;
    for (unsigned i = thread_number(); i < static_cast<unsigned>(n); i += gridDim.x * blockDim.x) {
        most = max(most, in[i]);
    }
    atomicMax(out, most);
}

// Every second thread takes a place in a queue.
extern "C" __global__ void use_queue(int* queue, int n) {
    const unsigned i = thread_number();
    if (i < static_cast<unsigned>(n) && mixed(i) % 2 == 0) {
        queue[32 + (atomicAdd(queue, 1) & 0xfffff)] = static_cast<int>(i);
    }
}

}  // namespace gpumodel::atomics
