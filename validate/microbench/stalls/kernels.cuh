// Kernels whose warps wait for one known reason each, for a profiler: what it calls which wait. All take the
// same arguments: data (4 Mi words, zero) and a trip count.
//   nvcc -std=c++17 -O3 -arch=sm_90 -cubin -x cu -o kernels.cubin kernels.cuh
//   cuobjdump -sass kernels.cubin | gzip -9n > sm_90.sass.gz
#pragma once

namespace gpumodel::stalls {

#define STALLS_KERNEL(NAME) extern "C" __global__ void NAME(float* data, int trips)
__device__ inline unsigned thread_number() {
    return blockIdx.x * blockDim.x + threadIdx.x;
}
__device__ inline void keep(float* data, float x) {
    data[thread_number()] = x;
}

STALLS_KERNEL(ffma_chain) {
    float x = threadIdx.x;
    for (int i = 0; i < trips; ++i)
        x = x * 0.5f + x;
    keep(data, x);
}

// Eight independent chains: the pipe is full.
STALLS_KERNEL(ffma_wide) {
    float x[8];
    for (int j = 0; j < 8; ++j)
        x[j] = threadIdx.x + j;
#pragma unroll 4
    for (int i = 0; i < trips; ++i)
        for (int j = 0; j < 8; ++j)
            x[j] = x[j] * 0.5f + x[j];
    for (int j = 1; j < 8; ++j)
        x[0] += x[j];
    keep(data, x[0]);
}

// 24 chains, three different registers a product: their banks collide now and then.
STALLS_KERNEL(ffma_registers) {
    float x[24], a[4], b[4];
    for (int j = 0; j < 24; ++j)
        x[j] = threadIdx.x + j;
    for (int j = 0; j < 4; ++j) {
        a[j] = data[threadIdx.x + j];
        b[j] = data[threadIdx.x + j + 64];
    }
    for (int i = 0; i < trips; ++i)
        for (int j = 0; j < 24; ++j)
            x[j] += a[j % 4] * b[(j / 4) % 4];
    for (int j = 1; j < 24; ++j)
        x[0] += x[j];
    keep(data, x[0]);
}

// Two 32-bit integer multiplies of 64 bits in four chains: half-rate pipe.
STALLS_KERNEL(integer_wide) {
    unsigned x[8];
    for (int j = 0; j < 8; ++j)
        x[j] = threadIdx.x + j;
#pragma unroll 4
    for (int i = 0; i < trips; ++i)
        for (int j = 0; j < 8; ++j)
            x[j] = (x[j] ^ (x[j] >> 3)) & 0x7fffffffu;
    for (int j = 1; j < 8; ++j)
        x[0] += x[j];
    keep(data, __uint_as_float(x[0]));
}

STALLS_KERNEL(fp64_wide) {
    double x[4];
    for (int j = 0; j < 4; ++j)
        x[j] = threadIdx.x + j;
    for (int i = 0; i < trips; ++i)
        for (int j = 0; j < 4; ++j)
            x[j] = x[j] * 0.5 + x[j];
    keep(data, static_cast<float>(x[0] + x[1] + x[2] + x[3]));
}

STALLS_KERNEL(mufu_chain) {
    float x = 1 + threadIdx.x;
    for (int i = 0; i < trips; ++i)
        asm volatile("rcp.approx.ftz.f32 %0, %0;" : "+f"(x));
    keep(data, x);
}

STALLS_KERNEL(mufu_wide) {
    float x[8];
    for (int j = 0; j < 8; ++j)
        x[j] = 1 + threadIdx.x + j;
    for (int i = 0; i < trips; ++i)
        for (int j = 0; j < 8; ++j)
            asm volatile("rcp.approx.ftz.f32 %0, %0;" : "+f"(x[j]));
    for (int j = 1; j < 8; ++j)
        x[0] += x[j];
    keep(data, x[0]);
}

STALLS_KERNEL(shuffle_chain) {
    float x = threadIdx.x;
    for (int i = 0; i < trips; ++i)
        x = __shfl_xor_sync(0xffffffffu, x, 1);
    keep(data, x);
}

STALLS_KERNEL(shared_chain) {
    __shared__ int next[1024];
    next[threadIdx.x] = threadIdx.x;
    __syncthreads();
    int at = threadIdx.x;
    for (int i = 0; i < trips; ++i)
        at = next[at];
    keep(data, at);
}

// Eight independent loads a round from shared memory.
STALLS_KERNEL(shared_wide) {
    __shared__ float words[4096];
    for (int i = threadIdx.x; i < 4096; i += blockDim.x)
        words[i] = 0;
    __syncthreads();
    float x = 0;
    volatile float* own = words + threadIdx.x;
    for (int i = 0; i < trips; ++i) {
        float y[8];
        for (int j = 0; j < 8; ++j)
            y[j] = own[j * 256];
        for (int j = 0; j < 8; ++j)
            x += y[j];
    }
    keep(data, x);
}

// 32-way conflicts.
STALLS_KERNEL(shared_conflicts) {
    __shared__ float words[8192];
    for (int i = threadIdx.x; i < 8192; i += blockDim.x)
        words[i] = 0;
    __syncthreads();
    float x = 0;
    volatile float* own = words + threadIdx.x % 32 * 32;
    for (int i = 0; i < trips; ++i) {
        float y[4];
        for (int j = 0; j < 4; ++j)
            y[j] = own[j];
        for (int j = 0; j < 4; ++j)
            x += y[j];
    }
    keep(data, x);
}

// Pointers of one warp through L1.
STALLS_KERNEL(l1_chain) {
    int at = threadIdx.x;
    const int* next = reinterpret_cast<const int*>(data);
    for (int i = 0; i < trips; ++i)
        at = __ldca(next + at) + static_cast<int>(threadIdx.x);
    keep(data + (1 << 21), at);
}

// Loads that miss L1: other addresses in every round.
STALLS_KERNEL(l2_wide) {
    float x = 0;
    for (int i = 0; i < trips; ++i) {
        float y[8];
        for (int j = 0; j < 8; ++j)
            y[j] = __ldcg(data + ((thread_number() + (i * 8 + j) * 4096) & 0xfffff));
        for (int j = 0; j < 8; ++j)
            x += y[j];
    }
    keep(data + (1 << 21), x);
}

// Every lane its own sector: the queue before L1 fills.
STALLS_KERNEL(sectors_wide) {
    float x = 0;
    for (int i = 0; i < trips; ++i) {
        float y[8];
        for (int j = 0; j < 8; ++j)
            y[j] = __ldca(data + (((threadIdx.x * 8) + (i * 8 + j) * 8) & 0x1fff));
        for (int j = 0; j < 8; ++j)
            x += y[j];
    }
    keep(data + (1 << 21), x);
}

// Words of one line, in L1: the queue without misses.
STALLS_KERNEL(l1_wide) {
    float x = 0;
    for (int i = 0; i < trips; ++i) {
        float y[8];
        for (int j = 0; j < 8; ++j)
            y[j] = __ldca(data + ((threadIdx.x + (i * 8 + j) * 32) & 0x1fff));
        for (int j = 0; j < 8; ++j)
            x += y[j];
    }
    keep(data + (1 << 21), x);
}

// One address for all lanes, as rows of A are read.
STALLS_KERNEL(l1_broadcast) {
    float x = 0;
    for (int i = 0; i < trips; ++i) {
        float y[8];
        for (int j = 0; j < 8; ++j)
            y[j] = __ldca(data + ((i * 8 + j) & 0x1fff));
        for (int j = 0; j < 8; ++j)
            x += y[j];
    }
    keep(data + (1 << 21), x);
}

STALLS_KERNEL(stores_wide) {
    for (int i = 0; i < trips; ++i)
        for (int j = 0; j < 8; ++j)
            data[(thread_number() + (i * 8 + j) * 4096) & 0x3fffff] = i;
}

// A store at the end of each of many short blocks.
STALLS_KERNEL(store_exit) {
    for (int j = 0; j < 8; ++j)
        data[(thread_number() * 8 + j * 32) & 0x3fffff] = trips;
}

STALLS_KERNEL(barrier_even) {
    float x = threadIdx.x;
    for (int i = 0; i < trips; ++i) {
        x = x * 0.5f + x;
        __syncthreads();
    }
    keep(data, x);
}

// The first warp works, the others wait.
STALLS_KERNEL(barrier_uneven) {
    float x = threadIdx.x;
    for (int i = 0; i < trips; ++i) {
        if (threadIdx.x < 32)
            for (int j = 0; j < 32; ++j)
                x = x * 0.5f + x;
        __syncthreads();
    }
    keep(data, x);
}

// A taken branch after every product.
STALLS_KERNEL(branches) {
    float x = threadIdx.x;
#pragma unroll 1
    for (int i = 0; i < trips; ++i)
        x = x * 0.5f + x;
    keep(data, x);
}

// Both sides of a branch on the lane, 32 instructions each.
STALLS_KERNEL(divergence) {
    float x = threadIdx.x;
#pragma unroll 1
    for (int i = 0; i < trips; ++i) {
        if ((threadIdx.x ^ i) & 1) {
#pragma unroll
            for (int j = 0; j < 32; ++j)
                x = x * 0.5f + x;
        } else {
#pragma unroll
            for (int j = 0; j < 32; ++j)
                x = x * 0.25f + 1;
        }
    }
    keep(data, x);
}

// 2048 products a round: more code than the nearest instruction caches hold.
STALLS_KERNEL(long_code) {
    float x[8];
    for (int j = 0; j < 8; ++j)
        x[j] = threadIdx.x + j;
#pragma unroll 1
    for (int i = 0; i < trips; i += 64) {
#pragma unroll
        for (int k = 0; k < 256; ++k)
            for (int j = 0; j < 8; ++j)
                x[j] = x[j] * 0.5f + x[(j + 1) % 8];
    }
    for (int j = 1; j < 8; ++j)
        x[0] += x[j];
    keep(data, x[0]);
}

STALLS_KERNEL(atomic_wide) {
    for (int i = 0; i < trips; ++i)
        atomicAdd(data + thread_number(), 1.0f);
}

STALLS_KERNEL(fences) {
    for (int i = 0; i < trips; ++i) {
        data[thread_number()] = i;
        __threadfence();
    }
}

__constant__ int constants[1024];
STALLS_KERNEL(constant_chain) {
    int at = 0;
    for (int i = 0; i < trips; ++i)
        at = constants[at + (i & 1)];
    keep(data, at);
}

}  // namespace gpumodel::stalls

#define STALLS_ALL(X)                                                                                        \
    X(ffma_chain)                                                                                            \
    X(ffma_wide) X(ffma_registers) X(integer_wide) X(fp64_wide) X(mufu_chain) X(mufu_wide) X(shuffle_chain)  \
        X(shared_chain) X(shared_wide) X(shared_conflicts) X(l1_chain) X(l2_wide) X(sectors_wide) X(l1_wide) \
            X(l1_broadcast) X(stores_wide) X(store_exit) X(barrier_even) X(barrier_uneven) X(branches)       \
                X(divergence) X(long_code) X(atomic_wide) X(fences) X(constant_chain)
