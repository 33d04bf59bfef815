// An L2 of two halves: which SM and which line belong to which, what lies in both, and what the way between
// them costs. SMs read through the L2 of their own half; a line's home is the half whose DRAM it lies in.
#pragma once

#include <cstdint>

#include "validate/microbench/microbench.cuh"

namespace gpumodel::microbench {

constexpr std::size_t l2_line = 128;
constexpr std::size_t unified_shared_left = 2048;  // bytes; below the opt-in limit: one block per SM

// By atomics, which L2 carries out at a line's home: SMs of one half find the same lines near.
struct Halves {
    std::vector<int> of_sm;         // 0 or 1; SM 0 is in half 0
    double near_atomic_cycles = 0;  // mean over SMs and lines
    double far_atomic_cycles = 0;
    double agreement =
        0;  // part of the pairs of SM and line that are on the side of the means that they should be
    std::vector<int> sms(int half) const;
};
Halves find_halves(const Device& device);

// Homes of the `lines` lines from `memory` on, as one SM of each half finds them.
std::vector<int> line_homes(const Halves& halves, const Device& device, char* memory, std::size_t lines);

// Reads so much else that nothing older stays in L2.
void evict_l2();

void l2_halves(const Device& device, Recorder& recorder);
void l2_half_latency(const Device& device, Recorder& recorder);
void l2_half_bandwidth(const Device& device, Recorder& recorder);
void l2_residence(const Device& device, Recorder& recorder);
void l2_tile_walk(const Device& device, Recorder& recorder);

__device__ __forceinline__ unsigned sm_number() {
    unsigned sm;
    asm volatile("mov.u32 %0, %%smid;" : "=r"(sm));
    return sm;
}

// Launches `kernel` with one block on every SM, which its shared memory leaves no room beside.
template <class... Parameters, class... Arguments>
void launch_one_per_sm(const Device& device, void (*kernel)(Parameters...), int threads,
                       const Arguments&... arguments) {
    const int shared = device.max_shared_per_block - static_cast<int>(unified_shared_left) * 12;
    measure::require(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, shared),
                     "shared memory");
    kernel<<<device.sm_count, threads, shared>>>(arguments...);
    finish("one block per SM");
}

}  // namespace gpumodel::microbench
