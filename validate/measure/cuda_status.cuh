// A CUDA call that fails ends the measurement: nothing after it could be trusted.
#pragma once

#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>

namespace gpumodel::measure {

inline void require(cudaError_t status, const char* what) {
    if (status != cudaSuccess) {
        std::fprintf(stderr, "%s: %s\n", what, cudaGetErrorString(status));
        std::exit(2);
    }
}

}  // namespace gpumodel::measure
