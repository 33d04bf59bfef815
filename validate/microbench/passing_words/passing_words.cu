// Words that many blocks add to for a while, and others after them: zones of an image, bins of sorted keys, rows of a sum.
//
//   nvcc -std=c++17 -O3 -arch=sm_90 -o passing_words validate/microbench/passing_words/passing_words.cu
//   passing_words > validate/data/h200_sxm_passing_words.csv       medians of seven launches; seconds
//
// kernel,type,arrays,span,blocks,time_us
//   add       each thread adds to one word of each of `arrays` arrays, even and odd lanes to neighbours; `span` blocks in a row
//             to the same two words, the next ones to the next two
//   swap      the same behind a loop that lowers the first array's word by compare-and-swap
#include <cuda_runtime.h>

#include <algorithm>
#include <cstdio>
#include <vector>

#include "../standalone.cuh"

namespace {

constexpr int block = 256, apart = 1 << 16;  // words from array to array

template <class T>
__device__ void add_to_all(T* table, int arrays, int word) {
    for (int a = 1; a <= arrays; ++a) atomicAdd(&table[a * apart + word], T(1));
}

template <class T>
__global__ void add(T* table, int arrays, int span) {
    add_to_all(table, arrays, blockIdx.x / span * 2 + threadIdx.x % 2);
}

template <class T>
__global__ void swap(T* table, int arrays, int span) {
    const int word = blockIdx.x / span * 2 + threadIdx.x % 2;
    auto* least = reinterpret_cast<unsigned*>(table) + word;
    const unsigned mine = (blockIdx.x * blockDim.x + threadIdx.x) * 2654435761U >> 4;
    unsigned old = *reinterpret_cast<volatile unsigned*>(least);
    while (mine < old) {
        const unsigned seen = atomicCAS(least, old, mine);
        if (seen == old) break;
        old = seen;
    }
    add_to_all(table, arrays, word);
}

template <class T>
void measure(const char* type, T* table) {
    for (const int arrays : {1, 2, 4, 6})
        for (const int span : {8, 64, 512})
            for (const int blocks : {4096, 16384})
                for (const bool swaps : {false, true}) {
                    std::vector<float> times;
                    for (int r = 0; r < 8; ++r) {
                        cudaEvent_t begin, end;
                        check(cudaEventCreate(&begin));
                        check(cudaEventCreate(&end));
                        check(cudaMemset(table, 0x7f, apart * sizeof(T)));
                        check(cudaMemset(table + apart, 0, 6 * apart * sizeof(T)));
                        check(cudaDeviceSynchronize());
                        check(cudaEventRecord(begin));
                        if (swaps) swap<T><<<blocks, block>>>(table, arrays, span);
                        else add<T><<<blocks, block>>>(table, arrays, span);
                        check(cudaEventRecord(end));
                        check(cudaEventSynchronize(end));
                        float ms = 0;
                        check(cudaEventElapsedTime(&ms, begin, end));
                        if (r > 0) times.push_back(ms * 1000);
                        check(cudaEventDestroy(begin));
                        check(cudaEventDestroy(end));
                    }
                    std::sort(times.begin(), times.end());
                    std::printf("%s,%s,%d,%d,%d,%.2f\n", swaps ? "swap" : "add", type, arrays, span, blocks, times[3]);
                }
}

}  // namespace

int main() {
    cudaDeviceProp gpu{};
    check(cudaGetDeviceProperties(&gpu, 0));
    double* table = nullptr;
    check(cudaMalloc(&table, 7 * apart * sizeof(double)));
    std::printf("# gpu: %s\nkernel,type,arrays,span,blocks,time_us\n", gpu.name);
    measure("u32", reinterpret_cast<unsigned*>(table));
    measure("f64", table);
}
