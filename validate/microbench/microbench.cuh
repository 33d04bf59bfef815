// Microbenchmarks: small kernels of which each isolates one property of the GPU, the value of one or a few
// keys of an architecture spec. Every benchmark is one function that hands rows to a Recorder:
//   benchmark, params "KEY=VALUE;...", metric (unit), samples (one per launch or pair of launches)
// together with the spec keys that the row determines. Needs CUDA 11.8 or later, sm_35 or later.
//
// Cycles are read off the SM's own clock counter. Where a loop is timed, it is timed with a short and a
// long body and the same number of rounds: the difference contains no loop and no start-up.
#pragma once

#include <cuda_runtime.h>

#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "validate/measure/cuda_status.cuh"

namespace gpumodel::microbench {

struct Device {
    int compute_capability = 0;  // 90 for 9.0
    int sm_count = 0;
    int l2_bytes = 0;
    int max_shared_per_block = 0;  // with opt-in
    std::size_t memory_bytes = 0;
    double clock_hz = 0;  // SM clock while all SMs multiply
};

struct Row {
    std::string benchmark, params, metric;
    std::string keys;  // spec keys that the row determines, for the reader; "" = context only
};

class Recorder {
public:
    virtual ~Recorder() = default;
    // False where a row of an earlier run has the figure already.
    virtual bool wanted(const std::string& benchmark, const std::string& params) = 0;
    virtual void add(const Row& row, std::vector<double> samples) = 0;
    // For a profiler: two launches of what is measured, the second of which counts, and no more.
    [[nodiscard]] virtual bool once() const { return false; }
};

void pipes(const Device& device, Recorder& recorder);
void register_banks(const Device& device, Recorder& recorder);
void shared_memory(const Device& device, Recorder& recorder);
void global_latency(const Device& device, Recorder& recorder);
void l2_bandwidth(const Device& device, Recorder& recorder);
void dram_bandwidth(const Device& device, Recorder& recorder);
void barriers(const Device& device, Recorder& recorder);
void block_scheduling(const Device& device, Recorder& recorder);
void l1_requests(const Device& device, Recorder& recorder);
void launch_overhead(const Device& device, Recorder& recorder);
void clocks(const Device& device, Recorder& recorder);

// SM clock in Hz while every SM runs FFMA (`blocks` = SMs) or one does (1), over about 20 ms.
double measure_clock(int blocks);

// Begin and end of one warp or block on its SM's clock.
struct Interval {
    long long begin, end;
};

constexpr int repetitions = 9;

// Device memory, zeroed, that is freed with its owner.
template <class T>
class DeviceArray {
public:
    explicit DeviceArray(std::size_t count) : count_(count) {
        measure::require(cudaMalloc(&data_, count * sizeof(T)), "cudaMalloc");
        measure::require(cudaMemset(data_, 0, count * sizeof(T)), "cudaMemset");
    }
    DeviceArray(const DeviceArray&) = delete;
    DeviceArray& operator=(const DeviceArray&) = delete;
    ~DeviceArray() { cudaFree(data_); }

    [[nodiscard]] T* data() const { return data_; }
    [[nodiscard]] std::vector<T> host() const {
        std::vector<T> copy(count_);
        measure::require(cudaMemcpy(copy.data(), data_, count_ * sizeof(T), cudaMemcpyDeviceToHost),
                         "cudaMemcpy");
        return copy;
    }

private:
    std::size_t count_;
    T* data_ = nullptr;
};

inline void finish(const char* what) {
    measure::require(cudaGetLastError(), what);
    measure::require(cudaDeviceSynchronize(), what);
}

// From the first warp's begin to the last warp's end, for warps of one SM.
inline double span(const std::vector<Interval>& warps) {
    long long begin = warps.front().begin;
    long long end = warps.front().end;
    for (const Interval& warp : warps) {
        begin = std::min(begin, warp.begin);
        end = std::max(end, warp.end);
    }
    return static_cast<double>(end - begin);
}

// Samples of (cycles of the long body - cycles of the short one) / `steps`, steps = how many more
// instructions each warp executes in the long one.
template <class Short, class Long>
std::vector<double> difference(const Short& run_short, const Long& run_long, double steps) {
    run_short();  // warms the instruction cache up
    run_long();
    std::vector<double> samples;
    for (int i = 0; i < repetitions; ++i) {
        const double begin = run_short();
        samples.push_back((run_long() - begin) / steps);
    }
    return samples;
}

inline std::string pair(const char* key, long long value) {
    return std::string(key) + "=" + std::to_string(value);
}

}  // namespace gpumodel::microbench
