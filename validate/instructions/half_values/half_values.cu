// half_values: what the instructions on half-precision and bfloat16 numbers give, for all pairs of 40 numbers
// of every kind (zeros, subnormal numbers, ends of the range, infinities, NaNs): a line for each operation of
// operations.cuh, its name and a 64-bit hash of all results.
//   nvcc -std=c++17 -arch=sm_90 -o half_values half_values.cu && ./half_values | diff half_values.txt -
#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

#pragma nv_diag_suppress 177  // what an architecture lacks is not called

#include "operations.cuh"

namespace {

constexpr int count = 40;
using Patterns = std::array<unsigned, count>;
// As in tests/traces/emulate/lane_pairs.cpp.
constexpr Patterns halves{0x0000, 0x8000, 0x0001, 0x8001, 0x0002, 0x03ff, 0x83ff, 0x0400, 0x8400, 0x0401,
                          0x0c00, 0x8c00, 0x1234, 0x9234, 0x2401, 0x3555, 0xb555, 0x3800, 0xb800, 0x3bff,
                          0x3c00, 0xbc00, 0x3c01, 0x4000, 0xc000, 0x4248, 0x4900, 0x5640, 0xd640, 0x6bff,
                          0x7bfe, 0x7bff, 0xfbff, 0x7c00, 0xfc00, 0x7c01, 0x7e00, 0xfe01, 0x7fff, 0xffff};
constexpr Patterns bfloats{0x0000, 0x8000, 0x0001, 0x8001, 0x0002, 0x007f, 0x807f, 0x0080, 0x8080, 0x0081,
                           0x0c00, 0x8c00, 0x1fab, 0x9fab, 0x3300, 0x3381, 0x3eab, 0xbeab, 0x3f00, 0xbf00,
                           0x3f7f, 0x3f80, 0xbf80, 0x3f81, 0x4000, 0xc000, 0x4049, 0x42c8, 0xc2c8, 0x477f,
                           0x5f7f, 0x7f7f, 0xff7f, 0x7f80, 0xff80, 0x7f81, 0x7fc0, 0xffc1, 0x7fff, 0xffff};

enum class Numbers { halves, bfloats, floats };

#ifdef __CUDA_ARCH__
constexpr int architecture = __CUDA_ARCH__ / 10;
#else
constexpr int architecture = 0;
#endif

__device__ __half2 as_halves(unsigned word) {
    return *reinterpret_cast<__half2*>(&word);
}
__device__ __nv_bfloat162 as_bfloats(unsigned word) {
    return *reinterpret_cast<__nv_bfloat162*>(&word);
}
template <class Pair>
__device__ unsigned word(Pair pair) {
    return *reinterpret_cast<unsigned*>(&pair);
}
template <class Pair>
__device__ auto low(Pair pair) {
    return pair.x;
}
__device__ float number(unsigned word) {
    return __uint_as_float(word);
}

// A struct for each operation.
#define GPUMODEL_OPERATION(name, kind, from, ...)                                               \
    struct name##_operation {                                                                   \
        static constexpr int needs = from;                                                      \
        static constexpr Numbers numbers = Numbers::kind;                                       \
        __device__ static unsigned of([[maybe_unused]] unsigned a, [[maybe_unused]] unsigned b, \
                                      [[maybe_unused]] unsigned c) {                            \
            __VA_ARGS__;                                                                        \
        }                                                                                       \
    };
GPUMODEL_OPERATIONS(GPUMODEL_OPERATION)
#undef GPUMODEL_OPERATION

template <class Operation>
__global__ void apply(const uint3* words, unsigned* results, int n) {
    const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    if constexpr (architecture >= Operation::needs) {
        if (i < n) {
            results[i] = Operation::of(words[i].x, words[i].y, words[i].z);
        }
    }
}

void check(cudaError_t error) {
    if (error != cudaSuccess) {
        std::fprintf(stderr, "half_values: %s\n", cudaGetErrorString(error));
        std::exit(1);
    }
}

unsigned pair_of(const Patterns& patterns, int lower, int upper) {
    return patterns[upper % count] << 16 | patterns[lower % count];
}

// Floats: a bfloat16 number, and a half for what follows.
unsigned float_of(int lower, int upper) {
    return bfloats[upper % count] << 16 | halves[lower % count];
}

std::vector<uint3> words_of(Numbers numbers) {
    std::vector<uint3> words;
    for (int i = 0; i < count; ++i) {
        for (int j = 0; j < count; ++j) {
            const auto word = [&](int lower, int upper) {
                return numbers == Numbers::floats
                           ? float_of(lower, upper)
                           : pair_of(numbers == Numbers::halves ? halves : bfloats, lower, upper);
            };
            words.push_back({word(i, j), word(j, i + j), word(i + 2 * j, 2 * i + j)});
        }
    }
    return words;
}

// FNV-1a over the bytes, the lowest first.
std::uint64_t hash_of(const std::vector<unsigned>& results) {
    std::uint64_t hash = 0xcbf29ce484222325ULL;
    for (const unsigned result : results) {
        for (int shift = 0; shift < 32; shift += 8) {
            hash = (hash ^ (result >> shift & 0xffU)) * 0x100000001b3ULL;
        }
    }
    return hash;
}

// For what the kernel has been compiled; a later device's own operations are not in it.
template <class Operation>
bool is_compiled() {
    cudaFuncAttributes attributes{};
    check(cudaFuncGetAttributes(&attributes, apply<Operation>));
    return std::min(attributes.ptxVersion, attributes.binaryVersion) >= Operation::needs;
}

template <class Operation>
void print_hash(const char* name) {
    if (!is_compiled<Operation>()) {
        return;
    }
    const auto words = words_of(Operation::numbers);
    const int n = static_cast<int>(words.size());
    std::vector<unsigned> results(words.size());
    uint3* in = nullptr;
    unsigned* out = nullptr;
    check(cudaMalloc(&in, words.size() * sizeof(uint3)));
    check(cudaMalloc(&out, results.size() * sizeof(unsigned)));
    check(cudaMemcpy(in, words.data(), words.size() * sizeof(uint3), cudaMemcpyHostToDevice));
    apply<Operation><<<(n + 127) / 128, 128>>>(in, out, n);
    check(cudaGetLastError());
    check(cudaMemcpy(results.data(), out, results.size() * sizeof(unsigned), cudaMemcpyDeviceToHost));
    check(cudaFree(in));
    check(cudaFree(out));
    std::printf("%s %016llx\n", name, static_cast<unsigned long long>(hash_of(results)));
}

}  // namespace

int main() {
#define GPUMODEL_PRINT(name, ...) print_hash<name##_operation>(#name);
    GPUMODEL_OPERATIONS(GPUMODEL_PRINT)
#undef GPUMODEL_PRINT
    return 0;
}
