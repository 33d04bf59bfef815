// Kernels that live on memory, from which the rules of bytes in flight, of mixed reads and writes and of
// partial sectors are read off. TYPE is a thread's access (float, float2, float4), UNROLL how many it starts
// before it uses the first; all loops stride by the whole grid. `never` is 0.
#pragma once

namespace gpumodel::microbench {

__device__ __forceinline__ float sum(float v) {
    return v;
}
__device__ __forceinline__ float sum(float2 v) {
    return v.x + v.y;
}
__device__ __forceinline__ float sum(float4 v) {
    return (v.x + v.y) + (v.z + v.w);
}
__device__ __forceinline__ void set(float& v, float x) {
    v = x;
}
__device__ __forceinline__ void set(float2& v, float x) {
    v = make_float2(x, x);
}
__device__ __forceinline__ void set(float4& v, float x) {
    v = make_float4(x, x, x, x);
}

template <class T, int UNROLL>
__device__ __forceinline__ void read(const T* __restrict__ in, float* out, int n, int never) {
    const int threads = gridDim.x * blockDim.x;
    const int thread = blockIdx.x * blockDim.x + threadIdx.x;
    float total = 0;
#pragma unroll 1
    for (int i = thread; i < n; i += UNROLL * threads) {
        T v[UNROLL];
#pragma unroll
        for (int j = 0; j < UNROLL; ++j)
            v[j] = in[i + j * threads];
#pragma unroll
        for (int j = 0; j < UNROLL; ++j)
            total += sum(v[j]);
    }
    if (never != 0)
        out[thread] = total;
}

template <class T, int UNROLL>
__device__ __forceinline__ void copy(const T* __restrict__ in, T* __restrict__ out, int n) {
    const int threads = gridDim.x * blockDim.x;
    const int thread = blockIdx.x * blockDim.x + threadIdx.x;
#pragma unroll 1
    for (int i = thread; i < n; i += UNROLL * threads) {
        T v[UNROLL];
#pragma unroll
        for (int j = 0; j < UNROLL; ++j)
            v[j] = in[i + j * threads];
#pragma unroll
        for (int j = 0; j < UNROLL; ++j)
            out[i + j * threads] = v[j];
    }
}

template <class T, int UNROLL>
__device__ __forceinline__ void fill(T* __restrict__ out, int n, float value) {
    const int threads = gridDim.x * blockDim.x;
    const int thread = blockIdx.x * blockDim.x + threadIdx.x;
    T v;
    set(v, value);
#pragma unroll 1
    for (int i = thread; i < n; i += UNROLL * threads) {
#pragma unroll
        for (int j = 0; j < UNROLL; ++j)
            out[i + j * threads] = v;
    }
}

// One element of each of READS arrays to each of WRITES arrays, which lie one after another, `n` apart.
template <class T, int READS, int WRITES>
__device__ __forceinline__ void mix(const T* __restrict__ in, T* __restrict__ out, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    float total = 0;
    T v[READS];
#pragma unroll
    for (int r = 0; r < READS; ++r)
        v[r] = in[i + r * n];
#pragma unroll
    for (int r = 0; r < READS; ++r)
        total += sum(v[r]);
#pragma unroll
    for (int w = 0; w < WRITES; ++w)
        set(out[i + w * n], total + w);
}

#define MEMORY_STREAM(NAME, TYPE, UNROLL)                                                                \
    extern "C" __global__ void read_##NAME(const TYPE* __restrict__ in, float* out, int n, int never) {  \
        read<TYPE, UNROLL>(in, out, n, never);                                                           \
    }                                                                                                    \
    extern "C" __global__ void copy_##NAME(const TYPE* __restrict__ in, TYPE* __restrict__ out, int n) { \
        copy<TYPE, UNROLL>(in, out, n);                                                                  \
    }                                                                                                    \
    extern "C" __global__ void fill_##NAME(TYPE* __restrict__ out, int n, float value) {                 \
        fill<TYPE, UNROLL>(out, n, value);                                                               \
    }
MEMORY_STREAM(w1_u1, float, 1)
MEMORY_STREAM(w1_u2, float, 2)
MEMORY_STREAM(w1_u4, float, 4)
MEMORY_STREAM(w1_u8, float, 8)
MEMORY_STREAM(w2_u1, float2, 1)
MEMORY_STREAM(w2_u4, float2, 4)
MEMORY_STREAM(w4_u1, float4, 1)
MEMORY_STREAM(w4_u2, float4, 2)
MEMORY_STREAM(w4_u4, float4, 4)
MEMORY_STREAM(w4_u8, float4, 8)

#define MEMORY_MIX(READS, WRITES)                                                               \
    extern "C" __global__ void mix_r##READS##_w##WRITES(const float4* __restrict__ in,          \
                                                        float4* __restrict__ out, int n, int) { \
        mix<float4, READS, WRITES>(in, out, n);                                                 \
    }                                                                                           \
    extern "C" __global__ void mix1_r##READS##_w##WRITES(const float* __restrict__ in,          \
                                                         float* __restrict__ out, int n, int) { \
        mix<float, READS, WRITES>(in, out, n);                                                  \
    }
MEMORY_MIX(8, 1)
MEMORY_MIX(4, 1)
MEMORY_MIX(3, 1)
MEMORY_MIX(2, 1)
MEMORY_MIX(1, 1)
MEMORY_MIX(2, 2)
MEMORY_MIX(4, 4)
MEMORY_MIX(1, 2)
MEMORY_MIX(1, 4)

// Every `stride`-th word, from `offset` on.
extern "C" __global__ void read_stride(const float* __restrict__ in, float* out, int n, int stride,
                                       int offset, int never) {
    const int threads = gridDim.x * blockDim.x;
    const int thread = blockIdx.x * blockDim.x + threadIdx.x;
    float total = 0;
#pragma unroll 1
    for (int i = thread; i < n; i += 4 * threads) {
        float v[4];
#pragma unroll
        for (int j = 0; j < 4; ++j)
            v[j] = in[(i + j * threads) * stride + offset];
#pragma unroll
        for (int j = 0; j < 4; ++j)
            total += v[j];
    }
    if (never != 0)
        out[thread] = total;
}

extern "C" __global__ void fill_stride(float* __restrict__ out, int n, int stride, int offset, float value) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i * stride + offset] = value;
}

// All blocks read the same `n` elements.
extern "C" __global__ void read_shared(const float4* __restrict__ in, float* out, int n, int rounds,
                                       int never) {
    float total = 0;
#pragma unroll 1
    for (int round = 0; round < rounds; ++round) {
#pragma unroll 1
        for (int i = threadIdx.x; i < n; i += 4 * blockDim.x) {
            float4 v[4];
#pragma unroll
            for (int j = 0; j < 4; ++j)
                v[j] = __ldcg(in + i + j * blockDim.x);
#pragma unroll
            for (int j = 0; j < 4; ++j)
                total += sum(v[j]);
        }
    }
    if (never != 0)
        out[threadIdx.x] = total;
}

extern "C" __global__ void nothing(float* out, int never) {
    if (never != 0)
        out[threadIdx.x] = 0;
}

}  // namespace gpumodel::microbench
