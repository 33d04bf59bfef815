#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include "validate/measure/fill.cuh"

namespace gpumodel::measure {
namespace {

// Values in [-1, 1), different in every word: zeros would draw less power and raise the clock.
__global__ void fill_singles(float* data, std::size_t words, unsigned seed) {
    for (std::size_t i = blockIdx.x * std::size_t(blockDim.x) + threadIdx.x; i < words;
         i += std::size_t(gridDim.x) * blockDim.x) {
        unsigned x = static_cast<unsigned>(i) * 2654435761u + seed;
        x ^= x >> 16;
        x *= 2246822519u;
        x ^= x >> 13;
        data[i] = static_cast<float>(x) * (2.0f / 4294967296.0f) - 1.0f;
    }
}

// The same in 16 bits, two to a word.
__global__ void fill_halves(float* data, std::size_t words, unsigned seed, bool bf16) {
    for (std::size_t i = blockIdx.x * std::size_t(blockDim.x) + threadIdx.x; i < 2 * words;
         i += std::size_t(gridDim.x) * blockDim.x) {
        unsigned x = static_cast<unsigned>(i) * 2654435761u + seed;
        x ^= x >> 16;
        x *= 2246822519u;
        x ^= x >> 13;
        const float value = static_cast<float>(x) * (2.0f / 4294967296.0f) - 1.0f;
        if (bf16) {
            reinterpret_cast<__nv_bfloat16*>(data)[i] = __float2bfloat16(value);
        } else {
            reinterpret_cast<__half*>(data)[i] = __float2half(value);
        }
    }
}

// Bytes, four to a word.
__global__ void fill_bytes(float* data, std::size_t words, unsigned seed) {
    for (std::size_t i = blockIdx.x * std::size_t(blockDim.x) + threadIdx.x; i < words;
         i += std::size_t(gridDim.x) * blockDim.x) {
        unsigned x = static_cast<unsigned>(i) * 2654435761u + seed;
        x ^= x >> 16;
        x *= 2246822519u;
        x ^= x >> 13;
        x *= 3266489917u;
        reinterpret_cast<unsigned*>(data)[i] = x ^ x >> 16;
    }
}

}  // namespace

void fill(float* data, std::size_t words, unsigned seed, Element element) {
    switch (element) {
        case Element::f32:
        case Element::tf32:
            fill_singles<<<1024, 256>>>(data, words, seed);
            break;
        case Element::f16:
        case Element::bf16:
            fill_halves<<<1024, 256>>>(data, words, seed, element == Element::bf16);
            break;
        case Element::s8:
            fill_bytes<<<1024, 256>>>(data, words, seed);
            break;
    }
}

}  // namespace gpumodel::measure
