// Loads, stores and atomics on words that a hash picks anywhere in some memory, alone and in pairs; flags that many warps
// set; lists that threads push on by compare-and-swap. Nothing is calibrated from it yet.
//
//   nvcc -std=c++17 -O3 -arch=sm_90 -o random_words validate/microbench/random_words/random_words.cu
//   random_words > validate/data/h200_sxm_random_words.csv      median of nine launches; seconds
//
// kernel,p1,p2,threads,time_us
//   loads ... cas_then_store   p1 = MiB, p2 = operations (four a thread, but for the last two: one)
//   few_...   the same on p1 words
//   flag_store   each warp stores a line of its own, and each p1-th one of p2 flags a line apart from each other
//   push         p1 threads push on p2 lists
//   count_back   each of p1 / 32 warps counts one of p2 words up, a line apart from each other, and stores what it was
#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

#include "../standalone.cuh"

namespace {

constexpr int grid = 8192, block = 256;

// OPERATION on the word `at`; what it adds to `sum` is stored where it can never be.
#define RANDOM(NAME, TYPE, OPERATION)                                          \
    __global__ void NAME(unsigned* words, unsigned mask) {                     \
        const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;              \
        unsigned sum = 0;                                                      \
        _Pragma("unroll") for (unsigned j = 0; j < 4; ++j) {                   \
            auto* at = reinterpret_cast<TYPE*>(words) + (hash(i * 4 + j) & mask); \
            OPERATION;                                                         \
        }                                                                      \
        if (sum == 0x12345678U) words[0] = sum;                                \
    }

RANDOM(loads, volatile unsigned, sum += *at)
RANDOM(stores, volatile unsigned, *at = i)
RANDOM(load_store, volatile unsigned, const unsigned v = *at; sum += v; *at = v + 1)
RANDOM(red_add, unsigned, atomicAdd(at, 1U))
RANDOM(red_add_f32, float, atomicAdd(at, 1.0F))
RANDOM(atom_add, unsigned, sum += atomicAdd(at, 1U))
RANDOM(atom_exch, unsigned, sum += atomicExch(at, 1U))
RANDOM(atom_cas, unsigned, sum += atomicCAS(at, 0U, 1U))
RANDOM(atom_cas64, unsigned long long, sum += static_cast<unsigned>(atomicCAS(at, 0ULL, 1ULL)))

__global__ void one_cas(unsigned* words, unsigned mask) {
    const unsigned was = atomicCAS(words + (hash(blockIdx.x * blockDim.x + threadIdx.x) & mask), 0U, 1U);
    if (was == 0x12345678U) words[0] = was;
}

__global__ void cas_then_store(unsigned* words, unsigned mask) {
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    const unsigned at = hash(i) & mask;
    if (atomicCAS(words + at, 0U, 1U) < 2U) words[mask + 1 + at] = i;
}

__global__ void flag_store(int* out, int* flags, int every, int count) {
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = i;
    if (i / 32 % every == 0) flags[i / 32 / every % count * 32] = 1;
}

__global__ void push(int threads, int lists, int* heads, int* next) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= threads) return;
    const int list = static_cast<unsigned>(i * 2654435761U) % lists;
    int expected = heads[list];
    while (true) {
        next[i] = expected;
        const int seen = atomicCAS(&heads[list], expected, i);
        if (seen == expected) break;
        expected = seen;
    }
}

__global__ void count_back(int threads, int count, int* words, int* out) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < threads && threadIdx.x % 32 == 0) out[i / 32] = atomicAdd(&words[i / 32 % count * 32], 1);
}

struct Random {
    const char* name;
    void (*kernel)(unsigned*, unsigned);
    unsigned word_bytes, per_thread;
};

}  // namespace

int main() {
    cudaDeviceProp gpu{};
    check(cudaGetDeviceProperties(&gpu, 0));
    unsigned* words = nullptr;
    check(cudaMalloc(&words, 3ULL << 30));
    std::printf("# gpu: %s\nkernel,p1,p2,threads,time_us\n", gpu.name);
    const std::vector<Random> list{
        {"loads", loads, 4, 4},         {"stores", stores, 4, 4},           {"load_store", load_store, 4, 4},
        {"red_add", red_add, 4, 4},     {"red_add_f32", red_add_f32, 4, 4}, {"atom_add", atom_add, 4, 4},
        {"atom_exch", atom_exch, 4, 4}, {"atom_cas", atom_cas, 4, 4},       {"atom_cas64", atom_cas64, 8, 4},
        {"one_cas", one_cas, 4, 1},     {"cas_then_store", cas_then_store, 4, 1}};
    for (const auto& r : list) {
        for (unsigned mib : {1U, 8U, 16U, 32U, 64U, 256U, 1024U}) {
            check(cudaMemset(words, 0, static_cast<std::size_t>(mib) << 21));
            const unsigned mask = (mib << 20) / r.word_bytes - 1;
            std::printf("%s,%u,%u,%d,%.2f\n", r.name, mib, grid * block * r.per_thread, block,
                        median_us([&] { r.kernel<<<grid, block>>>(words, mask); }));
        }
    }
    const std::vector<Random> atomics{{"few_red_add", red_add, 4, 4},   {"few_red_add_f32", red_add_f32, 4, 4},
                                      {"few_atom_add", atom_add, 4, 4}, {"few_atom_cas", atom_cas, 4, 4}};
    for (const auto& r : atomics) {
        for (unsigned count : {32U, 128U, 512U, 2048U, 8192U, 32768U}) {
            check(cudaMemset(words, 0, count * r.word_bytes));
            std::printf("%s,%u,%u,%d,%.2f\n", r.name, count, grid / 4 * block * r.per_thread, block,
                        median_us([&] { r.kernel<<<grid / 4, block>>>(words, count - 1); }));
        }
    }
    auto* out = reinterpret_cast<int*>(words);
    int* other = out + (64 << 20);
    check(cudaMemset(other, 0xff, 64 << 20));
    for (int blocks : {2048, 8192, 32768}) {
        for (int every : {1, 2, 8, 1000000}) {
            for (int count : {1, 2, 8, 64}) {
                std::printf("flag_store,%d,%d,%d,%.2f\n", every, count, blocks * block,
                            median_us([&] { flag_store<<<blocks, block>>>(out, other, every, count); }));
            }
        }
    }
    for (int threads : {1 << 16, 1 << 18, 1 << 20}) {
        for (int lists : {1 << 20, 1 << 16, 1 << 14, 4096, 1024}) {
            for (int size : {64, 256}) {
                std::printf("push,%d,%d,%d,%.2f\n", threads, lists, size,
                            median_us([&] { push<<<threads / size, size>>>(threads, lists, other, out); }));
            }
        }
        for (int count : {1, 2, 8, 64, 1024}) {
            std::printf("count_back,%d,%d,%d,%.2f\n", threads, count, block,
                        median_us([&] { count_back<<<threads / block, block>>>(threads, count, other, out); }));
        }
    }
}
