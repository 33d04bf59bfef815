// Launches every kernel of launches.h once (or, with --time, many times and prints the median time in microseconds).
// Memory is zeroed before each launch.
//   nvcc -std=c++17 -O2 -arch=sm_90 validate/general/run.cu -o general
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "general.cuh"
#include "launches.h"

namespace gpumodel::general {
namespace {

constexpr std::size_t array_bytes = std::size_t{64} << 20;
constexpr int launches = 51;
void* arrays[3];

template <class T>
T* p(int i) {
    return static_cast<T*>(arrays[i]);
}

void require(cudaError_t status, const char* what) {
    if (status != cudaSuccess) {
        std::fprintf(stderr, "%s: %s\n", what, cudaGetErrorString(status));
        std::exit(2);
    }
}

void clear() {
    for (void* array : arrays) require(cudaMemset(array, 0, array_bytes), "clear");
}

template <class Launch>
void run(const char* name, const char* shape, const char* args, bool timed, Launch launch) {
    clear();
    launch();
    require(cudaDeviceSynchronize(), name);
    if (!timed) return;
    // back to back, each launch between two events, as validate/measure times the families
    std::vector<cudaEvent_t> events(launches + 1);
    for (auto& event : events) require(cudaEventCreate(&event), "event");
    cudaEventRecord(events[0]);
    for (int i = 0; i < launches; ++i) {
        launch();
        cudaEventRecord(events[i + 1]);
    }
    require(cudaDeviceSynchronize(), name);
    std::vector<float> times;
    for (int i = 0; i < launches; ++i) {
        float ms = 0;
        cudaEventElapsedTime(&ms, events[i], events[i + 1]);
        times.push_back(1000 * ms);
    }
    for (auto& event : events) cudaEventDestroy(event);
    std::sort(times.begin(), times.end());
    std::printf("%s,%s,\"%s\",%.3f,%.3f,%.3f\n", name, shape, args, times[launches / 2], times.front(), times.back());
}

}  // namespace
}  // namespace gpumodel::general

#define GENERAL_DIM(...) dim3 __VA_ARGS__
#define GENERAL_RUN(kernel, grid, block, shared, args, values)                                           \
    run(#kernel, "\"" #grid "\",\"" #block "\"," #shared, args, timed, [] {                              \
        kernel<<<GENERAL_DIM(grid), GENERAL_DIM(block), shared>>> values;                                \
    });

int main(int argc, char** argv) {
    using namespace gpumodel::general;
    const bool timed = argc > 1 && std::strcmp(argv[1], "--time") == 0;
    for (void*& array : arrays) require(cudaMalloc(&array, array_bytes), "allocate");
    if (timed) std::printf("kernel,grid,block,shared_bytes,args,time_us,min_us,max_us\n");
    GENERAL_LAUNCHES(GENERAL_RUN)
    return 0;
}
