// Atomics of many warps on few words, with one, four or all lanes of a request; words picked by a skewed hash, as the ends
// of edges in a graph are; sums by compare-and-swap on words that others want too.
//
//   nvcc -std=c++17 -O3 -arch=sm_90 -o hot_words validate/microbench/hot_words/hot_words.cu
//   hot_words > validate/data/h200_sxm_hot_words.csv      median of nine launches; seconds
//
// kernel,type,lanes,words,stride,requests,time_us
//   red, atom    each of `requests` names, in each of its lanes, one of `words` at random, `stride` words apart
//   skewed       the same, but word words * u^2 for u from 0 to 1 at random
//   cas          red's sum as a loop around a compare-and-swap
#include <cuda_runtime.h>

#include <cstdio>

#include "../standalone.cuh"

namespace {

constexpr int block = 256, each = 8;  // requests of a warp

// Of the lanes at work, the number of the j-th operation; all different.
__device__ unsigned number(int lanes, int j) {
    const unsigned warp = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
    return (warp * each + j) * lanes + threadIdx.x % 32;
}

template <class T>
__global__ void red(T* at, int lanes, unsigned words, unsigned stride) {
    if (static_cast<int>(threadIdx.x % 32) >= lanes) return;
#pragma unroll
    for (int j = 0; j < each; ++j) atomicAdd(at + hash(number(lanes, j)) % words * stride, T(1));
}

template <class T>
__global__ void atom(T* at, int lanes, unsigned words, unsigned stride) {
    if (static_cast<int>(threadIdx.x % 32) >= lanes) return;
    T sum = 0;
#pragma unroll
    for (int j = 0; j < each; ++j) sum += atomicAdd(at + hash(number(lanes, j)) % words * stride, T(1));
    if (sum == T(-12345)) at[0] = sum;
}

template <class T>
__global__ void skewed(T* at, int lanes, unsigned words, unsigned stride) {
    if (static_cast<int>(threadIdx.x % 32) >= lanes) return;
#pragma unroll
    for (int j = 0; j < each; ++j) {
        const float u = hash(number(lanes, j)) * 2.3283064e-10F;
        const auto word = min(static_cast<unsigned>(u * u * words), words - 1);
        atomicAdd(at + word * stride, T(1));
    }
}

__global__ void cas(float* at, int lanes, unsigned words, unsigned stride) {
    if (static_cast<int>(threadIdx.x % 32) >= lanes) return;
    for (int j = 0; j < each; ++j) {
        auto* word = reinterpret_cast<unsigned*>(at + hash(number(lanes, j)) % words * stride);
        unsigned seen = *word, expected;
        do {
            expected = seen;
            seen = atomicCAS(word, expected, __float_as_uint(__uint_as_float(expected) + 1.0F));
        } while (seen != expected);
    }
}

template <class T>
void measure(const char* kernel, const char* type, void (*launch)(T*, int, unsigned, unsigned), T* at, int lanes,
             unsigned words, unsigned stride, int requests) {
    const double us =
        median_us([&] { launch<<<requests / each * 32 / block, block>>>(at, lanes, words, stride); });
    std::printf("%s,%s,%d,%u,%u,%d,%.2f\n", kernel, type, lanes, words, stride, requests, us);
}

template <class T>
void measure_type(const char* type, T* at) {
    for (int lanes : {1, 4, 32}) {
        for (unsigned stride : {1U, 8U, 32U}) {
            for (unsigned words : {1U, 2U, 4U, 8U, 16U, 32U, 64U, 256U, 1024U}) {
                measure("red", type, red<T>, at, lanes, words, stride, 1 << 16);
            }
        }
    }
    for (unsigned words : {1U, 8U, 64U, 1024U}) {
        for (int lanes : {1, 32}) measure("atom", type, atom<T>, at, lanes, words, 32U, 1 << 16);
    }
    for (unsigned words : {1000U, 30000U, 120000U, 1000000U}) {
        for (int lanes : {1, 32}) measure("skewed", type, skewed<T>, at, lanes, words, 1U, 1 << 16);
    }
}

}  // namespace

int main() {
    cudaDeviceProp gpu{};
    check(cudaGetDeviceProperties(&gpu, 0));
    void* memory = nullptr;
    check(cudaMalloc(&memory, 64 << 20));
    check(cudaMemset(memory, 0, 64 << 20));
    std::printf("# gpu: %s\nkernel,type,lanes,words,stride,requests,time_us\n", gpu.name);
    measure_type("u32", static_cast<unsigned*>(memory));
    measure_type("f32", static_cast<float*>(memory));
    measure_type("f64", static_cast<double*>(memory));
    for (int lanes : {1, 32}) {
        for (unsigned words : {1U, 8U, 64U, 1024U, 65536U}) {
            measure("cas", "f32", cas, static_cast<float*>(memory), lanes, words, words > 1024U ? 1U : 32U,
                    words < 64U ? 1 << 12 : 1 << 16);
        }
    }
}
