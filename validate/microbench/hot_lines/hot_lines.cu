// What one slice of L2 gives where many want the same few lines: flags that many warps set, words that many read
// past L1, largest values kept by a loop around a compare-and-swap.
//
//   nvcc -std=c++17 -O3 -arch=sm_90 -o hot_lines validate/microbench/hot_lines/hot_lines.cu
//   hot_lines > validate/data/h200_sxm_hot_lines.csv      median of nine launches; seconds
//
// kernel,a,b,c,warps,time_us
//   flag, no_flag   each warp waits for `a` loads of lines anywhere in 4 MiB, stores a line of its own, and `b` of its
//                   lanes set one of c flags, a line apart
//   load, load_cas  each lane reads one of `a` words of b bytes, at random, past L1; c times; load_cas: and swaps it in
//                   vain
//   most            each lane takes c values; they raise one of `a` words of b bytes where they are larger, by a loop
//                   around a compare-and-swap; from nothing in every launch
#include <cuda_runtime.h>

#include <cstdio>

#include "../standalone.cuh"

namespace {

constexpr int block = 256, warps = 1 << 15;
constexpr unsigned lines = 1 << 15;  // 4 MiB

__global__ void flag(const int* table, int* out, int* flags, int loads, int lanes, int count) {
    const unsigned thread = blockIdx.x * blockDim.x + threadIdx.x, warp = thread / 32;
    int sum = 0;
    for (int l = 0; l < loads; ++l) {
        sum += __ldcg(table + hash(warp * 16 + l) % lines * 32 + threadIdx.x % 32 + (sum == -12345 ? 1 : 0));
    }
    out[thread] = sum;
    if (threadIdx.x % 32 < lanes) {
        flags[warp % count * 32] = sum + 1;
    }
}

template <class T, bool swaps>
__global__ void load(T* words, T* out, unsigned count, int times) {
    const unsigned thread = blockIdx.x * blockDim.x + threadIdx.x;
    T sum = 0;
    for (int j = 0; j < times; ++j) {
        T* const word = words + hash(thread * 16 + j) % count;
        T value = *static_cast<volatile T*>(word);
        if constexpr (swaps) {
            value = atomicCAS(word, value + 7, T(1));
        }
        sum += value;
    }
    if (sum == T(12345)) {
        *out = sum;
    }
}

template <class T>
__global__ void most(T* words, unsigned count, int times) {
    for (int j = 0; j < times; ++j) {
        const unsigned item = (j * gridDim.x + blockIdx.x) * blockDim.x + threadIdx.x;
        T* const word = words + hash(item) % count;
        const T value = T(hash(item + 0x1234567U)) + 1;
        T held = *word;
        while (value > held) {
            const T seen = atomicCAS(word, held, value);
            if (seen == held) {
                break;
            }
            held = seen;
        }
    }
}

template <class T>
void measure_words(T* words, T* out) {
    const int bytes = sizeof(T);
    for (unsigned count : {1U, 4U, 16U, 32U, 128U, 512U, 2048U, 8192U, 65536U}) {
        std::printf("load,%u,%d,4,%d,%.2f\n", count, bytes, warps,
                    median_us([&] { load<T, false><<<warps * 32 / block, block>>>(words, out, count, 4); }));
        std::printf("load_cas,%u,%d,2,%d,%.2f\n", count, bytes, warps,
                    median_us([&] { load<T, true><<<warps * 32 / block, block>>>(words, out, count, 2); }));
    }
}

template <class T>
double most_us(T* words, unsigned count, int times) {
    std::vector<double> runs;
    cudaEvent_t begin, end;
    check(cudaEventCreate(&begin));
    check(cudaEventCreate(&end));
    for (int r = 0; r < 9; ++r) {
        check(cudaMemset(words, 0, count * sizeof(T)));
        check(cudaEventRecord(begin));
        most<T><<<warps * 32 / block / times, block>>>(words, count, times);
        check(cudaEventRecord(end));
        check(cudaEventSynchronize(end));
        float ms = 0;
        check(cudaEventElapsedTime(&ms, begin, end));
        runs.push_back(1000 * ms);
    }
    std::sort(runs.begin(), runs.end());
    return runs[runs.size() / 2];
}

template <class T>
void measure_most(T* words) {
    for (unsigned count : {1U, 16U, 64U, 512U, 4096U, 32768U, 262144U}) {
        for (int times : {1, 8}) {
            std::printf("most,%u,%d,%d,%d,%.2f\n", count, static_cast<int>(sizeof(T)), times, warps,
                        most_us(words, count, times));
        }
    }
}

}  // namespace

int main() {
    cudaDeviceProp gpu{};
    check(cudaGetDeviceProperties(&gpu, 0));
    void *memory = nullptr, *second = nullptr, *third = nullptr;
    check(cudaMalloc(&memory, 8 << 20));
    check(cudaMalloc(&second, 8 << 20));
    check(cudaMalloc(&third, 8 << 20));
    check(cudaMemset(memory, 0, 8 << 20));
    const auto table = static_cast<int*>(memory), out = static_cast<int*>(second), few = static_cast<int*>(third);
    std::printf("# gpu: %s\nkernel,a,b,c,warps,time_us\n", gpu.name);
    for (int loads : {0, 1, 2, 4, 8}) {
        std::printf("no_flag,%d,0,1,%d,%.2f\n", loads, warps,
                    median_us([&] { flag<<<warps * 32 / block, block>>>(table, out, few, loads, 0, 1); }));
        for (int lanes : {1, 32}) {
            for (int count : {1, 2, 8, 64}) {
                std::printf("flag,%d,%d,%d,%d,%.2f\n", loads, lanes, count, warps, median_us([&] {
                                flag<<<warps * 32 / block, block>>>(table, out, few, loads, lanes, count);
                            }));
            }
        }
    }
    measure_words(reinterpret_cast<unsigned*>(few), reinterpret_cast<unsigned*>(out));
    measure_words(reinterpret_cast<unsigned long long*>(few), reinterpret_cast<unsigned long long*>(out));
    measure_most(reinterpret_cast<unsigned*>(few));
    measure_most(reinterpret_cast<unsigned long long*>(few));
}
