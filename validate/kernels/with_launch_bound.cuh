// A kernel with a launch bound, to stand before all others of a file: the compiler then allocates registers
// differently in those (CUDA 13.0, sm_90: vectorized 64x64x4 has 104 registers; without it 102, and 9
// instructions more per tile). The literature's kernels share a file with bounded ones, so every file of
// instances includes this.
#pragma once

namespace gpumodel::kernels {

template <int THREADS>
__global__ void __launch_bounds__(THREADS) with_launch_bound() {}

template __global__ void with_launch_bound<256>();

}  // namespace gpumodel::kernels
