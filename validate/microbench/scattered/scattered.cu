// Stores of a word a lane whose lanes lie in several lines, as those of diverged lanes to local memory do.
//
//   nvcc -std=c++17 -O3 -arch=sm_90 -o scattered validate/microbench/scattered/scattered.cu
//   scattered > validate/data/h200_sxm_scattered.csv          medians of nine launches; seconds
//
// blocks,warps,lines,order,step,touched_lines,sectors,cycles
//   lines     of which a warp's store names some: neighbours the same one, 32 / lines of them (order 1), or each any (0);
//             a lane's word is the one of its number
//   step      lines from one store to the next, of 64 of the warp
//   touched_lines, sectors   of a store, the mean of 64 warps
//   cycles    of the SM a store, at 1980 MHz: the slope over 128 and 512 of them
#include <cuda_runtime.h>

#include <cstdio>

#include "../standalone.cuh"

namespace {

constexpr int lines_of_warp = 64, lanes = 32, times = 512;

__global__ void scattered(unsigned* data, int lines, bool in_order, int step, int stores) {
    const unsigned lane = threadIdx.x % lanes, warp = (blockIdx.x * blockDim.x + threadIdx.x) / lanes;
    const unsigned line = in_order ? lane * lines / lanes : hash(lane + 77 * warp) % lines;
    volatile unsigned* base = data + static_cast<size_t>(warp) * lines_of_warp * lanes + lane;
    for (int t = 0; t < stores; ++t) {
        *(base + (line + t * step) % lines_of_warp * lanes) = t;
    }
}

unsigned host_hash(unsigned h) {
    h ^= h >> 16;
    h *= 0x85ebca6bU;
    h ^= h >> 13;
    h *= 0xc2b2ae35U;
    return h ^ h >> 16;
}

struct Touched {
    double lines = 0, sectors = 0;
};

Touched touched_by(int lines, bool in_order) {
    constexpr int warps = 64, sectors_of_line = 4;
    Touched sum;
    for (unsigned warp = 0; warp < warps; ++warp) {
        bool used[lanes][sectors_of_line] = {};
        for (unsigned lane = 0; lane < lanes; ++lane) {
            used[in_order ? lane * lines / lanes : host_hash(lane + 77 * warp) % lines][lane / 8] = true;
        }
        for (const auto& line : used) {
            int sectors = 0;
            for (const bool sector : line) sectors += sector;
            sum.sectors += static_cast<double>(sectors) / warps;
            sum.lines += sectors > 0 ? 1.0 / warps : 0;
        }
    }
    return sum;
}

}  // namespace

int main() {
    cudaDeviceProp gpu{};
    check(cudaGetDeviceProperties(&gpu, 0));
    unsigned* data = nullptr;
    const size_t bytes = static_cast<size_t>(132) * 32 * lines_of_warp * lanes * 4;
    check(cudaMalloc(&data, bytes));
    check(cudaMemset(data, 0, bytes));
    std::printf("# gpu: %s\nblocks,warps,lines,order,step,touched_lines,sectors,cycles\n", gpu.name);
    for (const int blocks : {1, 33, 132}) {
        for (const int warps : {8, 32}) {
            for (const int lines : {1, 2, 4, 8, 16, 32}) {
                for (const bool order : {true, false}) {
                    for (const int step : {0, 1, 17}) {
                        const auto touched = touched_by(lines, order);
                        const auto time = [&](int stores) {
                            return median_us([&] { scattered<<<blocks, warps * lanes>>>(data, lines, order, step, stores); });
                        };
                        const double cycles = (time(times) - time(times / 4)) * 1980 / (times * 3 / 4) / warps;
                        std::printf("%d,%d,%d,%d,%d,%.3f,%.3f,%.3f\n", blocks, warps, lines, order, step, touched.lines,
                                    touched.sectors, cycles);
                    }
                }
            }
        }
    }
    return 0;
}
