// global_latency BYTES=..   cycles per step of one thread that follows a random cycle through BYTES of
// memory, one element per 128-byte line. Loads are cached in L1 while BYTES is at most the 128 KiB that every
// L1 since sm_70 holds beside shared memory, and bypass L1 above; the cycle is warm where it fits L2.
// Determines l1.latency, l2.latency (mean over near and far slices), dram.latency (with TLB misses).
#include <cstdint>
#include <numeric>
#include <random>

#include "validate/microbench/microbench.cuh"

namespace gpumodel::microbench {
namespace {

constexpr std::size_t line = 128;

// next[i] of a random single cycle through all elements (Sattolo's algorithm).
std::vector<std::uint32_t> random_cycle(std::uint32_t elements) {
    std::vector<std::uint32_t> next(elements);
    std::iota(next.begin(), next.end(), 0u);
    std::minstd_rand engine(1);
    for (std::uint32_t i = elements - 1; i > 0; --i) {
        std::swap(next[i], next[engine() % i]);
    }
    return next;
}

__global__ void lay_out(const std::uint32_t* next, std::uint32_t elements, char* memory) {
    for (std::uint32_t i = blockIdx.x * blockDim.x + threadIdx.x; i < elements; i += gridDim.x * blockDim.x) {
        *reinterpret_cast<char**>(memory + i * line) = memory + next[i] * line;
    }
}

template <bool L1>
__device__ __forceinline__ const char* follow(const char* at) {
    std::uint64_t next;
    if constexpr (L1) {
        asm volatile("ld.global.u64 %0, [%1];" : "=l"(next) : "l"(at));
    } else {
        asm volatile("ld.global.cg.u64 %0, [%1];" : "=l"(next) : "l"(at));
    }
    return reinterpret_cast<const char*>(next);
}

template <bool L1>
__global__ void chase(const char* memory, int warm_steps, int steps, Interval* warp, const char** out) {
    const char* at = memory;
    for (int i = 0; i < warm_steps; ++i) {
        at = follow<L1>(at);
    }
    const long long begin = clock64();
#pragma unroll 8
    for (int i = 0; i < steps; ++i) {
        at = follow<L1>(at);
    }
    *out = at;  // waits for the last step
    *warp = {begin, clock64()};
}

std::vector<double> measure(const Device& device, std::size_t bytes) {
    const auto elements = static_cast<std::uint32_t>(bytes / line);
    const bool in_l1 = bytes <= 128 * 1024;
    const bool in_l2 = bytes <= std::size_t(device.l2_bytes);
    const DeviceArray<char> memory(bytes);
    const DeviceArray<std::uint32_t> next(elements);
    const auto cycle = random_cycle(elements);
    measure::require(
        cudaMemcpy(next.data(), cycle.data(), elements * sizeof(std::uint32_t), cudaMemcpyHostToDevice),
        "cudaMemcpy");
    const DeviceArray<Interval> warp(1);
    const DeviceArray<const char*> out(1);
    std::vector<double> samples;
    for (int i = 0; i < repetitions; ++i) {
        lay_out<<<1024, 256>>>(next.data(), elements, memory.data());  // also leaves the cycle in L2
        const int steps = in_l2 ? 8192 : 2048;
        const int warm_steps = in_l1 ? static_cast<int>(2 * elements) : 64 * (i + 1);
        (in_l1 ? chase<true> : chase<false>)<<<1, 1>>>(memory.data(), warm_steps, steps, warp.data(),
                                                       out.data());
        finish("pointer chase");
        samples.push_back(span(warp.host()) / steps);
    }
    return samples;
}

}  // namespace

void global_latency(const Device& device, Recorder& recorder) {
    for (std::size_t bytes = 4096; bytes <= device.memory_bytes / 8 && bytes <= (std::size_t(4) << 30);
         bytes *= 4) {
        const std::string params = pair("BYTES", static_cast<long long>(bytes));
        const bool in_l1 = bytes <= 128 * 1024;
        const char* key = in_l1                                   ? "l1.latency"
                          : bytes <= std::size_t(device.l2_bytes) ? "l2.latency"
                                                                  : "dram.latency";
        if (recorder.wanted("global_latency", params)) {
            recorder.add({"global_latency", params, "cycles", key}, measure(device, bytes));
        }
    }
}

}  // namespace gpumodel::microbench
