// Launches every kernel of kernels.cuh once with one and once with sixteen warps per scheduler, for a
// profiler:
//   nvcc -std=c++17 -O3 -arch=sm_90 run.cu -o stalls
//   ncu --csv --page raw --print-units base --clock-control none --metrics ... ./stalls
#include <cstdio>

#include "kernels.cuh"

int main() {
    using namespace gpumodel::stalls;
    float* data = nullptr;
    if (cudaMalloc(&data, 32 << 20) != cudaSuccess || cudaMemset(data, 0, 32 << 20) != cudaSuccess) {
        return 2;
    }
#define STALLS_RUN(NAME)           \
    NAME<<<132, 128>>>(data, 256); \
    NAME<<<1056, 256>>>(data, 256);
    STALLS_ALL(STALLS_RUN)
    return cudaDeviceSynchronize() == cudaSuccess ? 0 : 2;
}
