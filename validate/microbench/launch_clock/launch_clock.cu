// What launches that do next to nothing take by three clocks: in a row, one between two events, and as gpumodel-record
// times them.
//
//   nvcc -std=c++17 -O3 -arch=sm_90 -o launch_clock validate/microbench/launch_clock/launch_clock.cu
//   launch_clock row                                                  the first two: name,in_a_row_us,one_us
//   gpumodel-record --out r --repeat 21 launch_clock                  the third: the medians of replays_us
//   validate/data/h200_sxm_launch_clock.csv                           all three; seconds
#include <cuda_runtime.h>

#include <cstdio>
#include <string>

#include "../standalone.cuh"

namespace {

__global__ void nothing() {}
__global__ void one_store(int* to) {
    to[threadIdx.x] = threadIdx.x;
}
__global__ void one_load(const int* from, int* to) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    to[i] = from[i];
}

template <class Launch>
void row(const char* name, Launch launch) {
    constexpr int in_a_row = 200;
    const double many = median_us([&] {
        for (int i = 0; i < in_a_row; ++i) launch();
    });
    std::printf("%s,%.3f,%.3f\n", name, many / in_a_row, median_us(launch));
}

}  // namespace

int main(int argc, char** argv) {
    int *from = nullptr, *to = nullptr;
    check(cudaMalloc(&from, 64 << 20));
    check(cudaMalloc(&to, 64 << 20));
    check(cudaMemset(from, 0, 64 << 20));
    check(cudaMemset(to, 0, 64 << 20));
    const bool rows = argc > 1 && std::string(argv[1]) == "row";
    const auto run = [&](const char* name, auto launch) {
        if (rows) {
            row(name, launch);
        } else {
            for (int i = 0; i < 3; ++i) launch();
        }
    };
    if (rows) std::printf("name,in_a_row_us,one_us\n");
    run("nothing_1_32", [] { nothing<<<1, 32>>>(); });
    run("nothing_132_256", [] { nothing<<<132, 256>>>(); });
    run("nothing_1056_256", [] { nothing<<<1056, 256>>>(); });
    run("nothing_8448_256", [] { nothing<<<8448, 256>>>(); });
    run("store_1_32", [&] { one_store<<<1, 32>>>(from); });
    run("load_1_256", [&] { one_load<<<1, 256>>>(from, to); });
    run("load_132_256", [&] { one_load<<<132, 256>>>(from, to); });
    run("load_1056_256", [&] { one_load<<<1056, 256>>>(from, to); });
    run("load_8448_256", [&] { one_load<<<8448, 256>>>(from, to); });
    check(cudaDeviceSynchronize());
}
