// What a slice of L2 is at work for: lanes of a request on one word and on words of one sector, sectors
// anywhere; loads of sectors anywhere between atomics; words that everybody wants among words that nobody
// else does.
//
//   nvcc -std=c++17 -O3 -arch=sm_90 -o slice_work validate/microbench/slice_work/slice_work.cu
//   slice_work > validate/data/h200_sxm_slice_work.csv      median of nine launches; seconds
//
// kernel,type,a,b,c,requests,time_us
//   grouped_red, grouped_atom   a lanes on each word, b words (of 4 or 8 bytes) in each sector
//   mixed_red, mixed_atom,      each request behind `a` loads of sectors anywhere in the same table (b = 1),
//   or in another of mixed_cas                   the same size (b = 0); c = 1: the loads wait for one another
//   loads                       a loads, as above, alone
//   hot_red, hot_loads          mixed_red with one load; `a` of 1024 lanes name one word, of the reductions,
//   or of the loads
#include <cuda_runtime.h>

#include <cstdio>

#include "../standalone.cuh"

namespace {

constexpr int block = 256, each = 8;   // requests of a warp
constexpr unsigned sectors = 1 << 17;  // 4 MiB

__device__ unsigned warp_number() {
    return (blockIdx.x * blockDim.x + threadIdx.x) / 32;
}

// The word that the lane names in its warp's j-th request.
template <class T>
__device__ T* place(T* table, int j, unsigned lanes, unsigned words) {
    const unsigned group = threadIdx.x % 32 / lanes;
    const unsigned sector = hash((warp_number() * each + j) * 32 + group / words) % sectors;
    return table + sector * (32 / sizeof(T)) + group % words;
}

template <class T>
__global__ void grouped_red(T* table, unsigned lanes, unsigned words) {
#pragma unroll
    for (int j = 0; j < each; ++j)
        atomicAdd(place(table, j, lanes, words), T(1));
}

template <class T>
__global__ void grouped_atom(T* table, unsigned lanes, unsigned words) {
    T sum = 0;
#pragma unroll
    for (int j = 0; j < each; ++j)
        sum += atomicAdd(place(table, j, lanes, words), T(1));
    if (sum == T(-12345))
        *table = sum;
}

enum class Does { loads, red, atom, cas };

template <class T, Does does>
__global__ void mixed(T* table, T* other, int loads, int chained, unsigned hot_reds, unsigned hot_loads) {
    constexpr unsigned in_sector = 32 / sizeof(T);
    const unsigned thread = blockIdx.x * blockDim.x + threadIdx.x;
    T sum = 0;
    unsigned wait = 0;
    for (int j = 0; j < each; ++j) {
        for (int l = 0; l < loads; ++l) {
            unsigned at = hash((thread * each + j) * 8 + l + 0x5000000U);
            at = at % 1024U < hot_loads ? 0 : at >> 8;
            const T value = __ldcg(other + (at + wait) % sectors * in_sector);
            if (chained != 0)
                wait = value == T(-12345) ? 1 : 0;
            sum += value;
        }
        unsigned at = hash(thread * each + j + wait);
        at = at % 1024U < hot_reds ? 0 : at >> 8;
        T* const word = table + at % sectors * in_sector;
        if constexpr (does == Does::red)
            atomicAdd(word, T(1));
        if constexpr (does == Does::atom)
            sum += atomicAdd(word, T(1));
        if constexpr (does == Does::cas)
            sum += atomicCAS(word, T(-7), T(1));
    }
    if (sum == T(-12345))
        *table = sum;
}

template <class T>
void measure_groups(const char* type, T* table) {
    constexpr int requests = 1 << 17;
    for (unsigned lanes : {1U, 2U, 4U, 8U, 32U}) {
        for (unsigned words = 1; words <= 32 / sizeof(T) && words * lanes <= 32; words *= 2) {
            const double red =
                median_us([&] { grouped_red<<<requests / each * 32 / block, block>>>(table, lanes, words); });
            std::printf("grouped_red,%s,%u,%u,0,%d,%.2f\n", type, lanes, words, requests, red);
            const double atom = median_us(
                [&] { grouped_atom<<<requests / each * 32 / block, block>>>(table, lanes, words); });
            std::printf("grouped_atom,%s,%u,%u,0,%d,%.2f\n", type, lanes, words, requests, atom);
        }
    }
}

template <class T, Does does>
void measure_mixed(const char* kernel, const char* type, T* table, T* other, int most_loads) {
    constexpr int requests = 1 << 16;
    for (int loads = does == Does::loads ? 1 : 0; loads <= most_loads; loads = loads == 0 ? 1 : 2 * loads) {
        for (int same = 0; same < (loads == 0 ? 1 : 2); ++same) {
            for (int chained = 0; chained < (loads == 0 ? 1 : 2); ++chained) {
                const double us = median_us([&] {
                    mixed<T, does><<<requests / each * 32 / block, block>>>(table, same != 0 ? table : other,
                                                                            loads, chained, 0, 0);
                });
                std::printf("%s,%s,%d,%d,%d,%d,%.2f\n", kernel, type, loads, same, chained, requests, us);
            }
        }
    }
}

template <class T>
void measure_hot(const char* type, T* table, T* other) {
    constexpr int requests = 1 << 16;
    for (unsigned part : {0U, 2U, 4U, 8U, 16U, 32U, 64U, 128U}) {
        const auto launch = [&](unsigned hot_reds, unsigned hot_loads) {
            return median_us([&] {
                mixed<T, Does::red>
                    <<<requests / each * 32 / block, block>>>(table, other, 1, 1, hot_reds, hot_loads);
            });
        };
        std::printf("hot_red,%s,%u,0,1,%d,%.2f\n", type, part, requests, launch(part, 0));
        std::printf("hot_loads,%s,%u,0,1,%d,%.2f\n", type, part, requests, launch(0, part));
    }
}

}  // namespace

int main() {
    cudaDeviceProp gpu{};
    check(cudaGetDeviceProperties(&gpu, 0));
    void* memory = nullptr;
    check(cudaMalloc(&memory, 8 << 20));
    check(cudaMemset(memory, 0, 8 << 20));
    void* const second = static_cast<char*>(memory) + (4 << 20);
    const auto u32 = static_cast<unsigned*>(memory);
    const auto other = static_cast<unsigned*>(second);
    std::printf("# gpu: %s\nkernel,type,a,b,c,requests,time_us\n", gpu.name);
    measure_groups("u32", u32);
    measure_groups("f32", static_cast<float*>(memory));
    measure_groups("f64", static_cast<double*>(memory));
    check(cudaMemset(memory, 0, 8 << 20));
    measure_mixed<unsigned, Does::loads>("loads", "u32", u32, other, 4);
    measure_mixed<unsigned, Does::red>("mixed_red", "u32", u32, other, 4);
    measure_mixed<unsigned, Does::atom>("mixed_atom", "u32", u32, other, 4);
    measure_mixed<unsigned, Does::cas>("mixed_cas", "u32", u32, other, 4);
    measure_mixed<double, Does::red>("mixed_red", "f64", static_cast<double*>(memory),
                                     static_cast<double*>(second), 4);
    measure_hot("u32", u32, other);
    measure_hot("f32", static_cast<float*>(memory), static_cast<float*>(second));
}
