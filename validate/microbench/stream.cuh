// Loads and stores of 16 bytes per thread, DEPTH of them issued before the first is used: what a thread,
// and with it an SM, keeps in flight. Loads bypass L1.
#pragma once

#include "validate/microbench/microbench.cuh"

namespace gpumodel::microbench {

__device__ __forceinline__ uint4 load_l2(const uint4* at) {
    uint4 v;
    asm volatile("ld.global.cg.v4.u32 {%0, %1, %2, %3}, [%4];"
                 : "=r"(v.x), "=r"(v.y), "=r"(v.z), "=r"(v.w)
                 : "l"(at));
    return v;
}

// Ends a basic block, so that no instruction after it is scheduled before the loads above it; `never` is 0.
__device__ __forceinline__ void end_of_loads(unsigned never) {
    asm volatile("{.reg .pred p; setp.ne.u32 p, %0, 0; @p exit;}" ::"r"(never));
}

// Reads `vectors` elements from `data` as the thread numbered `thread` of `threads`.
template <int DEPTH>
__device__ __forceinline__ unsigned read_all(const uint4* data, std::size_t vectors, std::size_t thread,
                                             std::size_t threads, unsigned never) {
    unsigned sum = 0;
#pragma unroll 1
    for (std::size_t i = thread; i < vectors; i += threads * DEPTH) {
        uint4 v[DEPTH];
#pragma unroll
        for (int j = 0; j < DEPTH; ++j) {
            v[j] = load_l2(data + i + j * threads);
        }
        end_of_loads(never);
#pragma unroll
        for (int j = 0; j < DEPTH; ++j) {
            sum ^= v[j].x ^ v[j].y ^ v[j].z ^ v[j].w;
        }
    }
    return sum;
}

template <int DEPTH>
__device__ __forceinline__ void write_all(uint4* data, std::size_t vectors, std::size_t thread,
                                          std::size_t threads) {
#pragma unroll 1
    for (std::size_t i = thread; i < vectors; i += threads * DEPTH) {
#pragma unroll
        for (int j = 0; j < DEPTH; ++j) {
            data[i + j * threads] = make_uint4(1, 2, 3, 4);
        }
    }
}

template <int DEPTH>
__device__ __forceinline__ void copy_all(uint4* to, const uint4* from, std::size_t vectors,
                                         std::size_t thread, std::size_t threads, unsigned never) {
#pragma unroll 1
    for (std::size_t i = thread; i < vectors; i += threads * DEPTH) {
        uint4 v[DEPTH];
#pragma unroll
        for (int j = 0; j < DEPTH; ++j) {
            v[j] = load_l2(from + i + j * threads);
        }
        end_of_loads(never);
#pragma unroll
        for (int j = 0; j < DEPTH; ++j) {
            to[i + j * threads] = v[j];
        }
    }
}

}  // namespace gpumodel::microbench
