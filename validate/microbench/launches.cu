// launch_overhead GRID=..   microseconds of an empty kernel with GRID blocks between two events, launches
//                           back to back with one event between every two: as kernels are timed here
// clock LOAD=idle|ffma      SM clock in Hz after the GPU rested for a second, and while all SMs multiply
// Determine launch.overhead and clock.sm.
#include <chrono>
#include <thread>

#include "validate/microbench/microbench.cuh"

namespace gpumodel::microbench {
namespace {

__global__ void empty() {}

// Cycles and nanoseconds that one thread's multiplications took.
__global__ void multiply(int rounds, long long* result) {
    float value = static_cast<float>(threadIdx.x);
    long long nanoseconds, after;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(nanoseconds));
    const long long begin = clock64();
    for (int i = 0; i < rounds; ++i) {
        value = value * 1.0001f + 0.5f;
    }
    const long long cycles = clock64() - begin;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(after));
    if (value != 0.123f && blockIdx.x == 0 && threadIdx.x == 0) {
        result[0] = cycles;
        result[1] = after - nanoseconds;
    }
}

double clock_of(int blocks, int rounds) {
    const DeviceArray<long long> result(2);
    multiply<<<blocks, 256>>>(rounds, result.data());
    finish("clock");
    const auto pair = result.host();
    return 1e9 * static_cast<double>(pair[0]) / static_cast<double>(pair[1]);
}

// Back-to-back launches with an event after each.
std::vector<double> empty_launches(int grid) {
    constexpr int launches = 41;
    cudaEvent_t events[launches + 1];
    for (auto& event : events) {
        measure::require(cudaEventCreate(&event), "cudaEventCreate");
    }
    empty<<<grid, 32>>>();
    cudaEventRecord(events[0]);
    for (int i = 1; i <= launches; ++i) {
        empty<<<grid, 32>>>();
        cudaEventRecord(events[i]);
    }
    finish("empty launches");
    std::vector<double> samples;
    for (int i = 0; i < launches; ++i) {
        float milliseconds = 0;
        cudaEventElapsedTime(&milliseconds, events[i], events[i + 1]);
        samples.push_back(1e3 * double(milliseconds));
    }
    for (auto& event : events) {
        cudaEventDestroy(event);
    }
    return samples;
}

}  // namespace

double measure_clock(int blocks) {
    return clock_of(blocks, 5'000'000);
}

void launch_overhead(const Device& device, Recorder& recorder) {
    for (const int grid : {1, device.sm_count, 4 * device.sm_count}) {
        const std::string params = pair("GRID", grid);
        if (recorder.wanted("launch_overhead", params)) {
            recorder.add({"launch_overhead", params, "microseconds", "launch.overhead"},
                         empty_launches(grid));
        }
    }
}

void clocks(const Device& device, Recorder& recorder) {
    if (recorder.wanted("clock", "LOAD=idle")) {
        std::vector<double> samples;
        for (int i = 0; i < 3; ++i) {
            std::this_thread::sleep_for(std::chrono::seconds(1));
            samples.push_back(clock_of(1, 50'000));
        }
        recorder.add({"clock", "LOAD=idle", "hz", ""}, samples);
    }
    if (recorder.wanted("clock", "LOAD=ffma")) {
        std::vector<double> samples;
        for (int i = 0; i < repetitions; ++i) {
            samples.push_back(measure_clock(8 * device.sm_count));
        }
        recorder.add({"clock", "LOAD=ffma", "hz", "clock.sm"}, samples);
    }
}

}  // namespace gpumodel::microbench
