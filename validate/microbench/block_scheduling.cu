// block_launch BLOCKS=..     cycles per block of a grid of BLOCKS empty blocks, GPU-wide, event-timed, less
//                            the time of a grid with one block per SM
// block_turnover THREADS=..  cycles from the end of a block to the beginning of the next one on its SM, one
//                            block per SM (its shared memory leaves no room for a second)
// Determine launch.blocks_per_cycle and launch.block_turnover.
#include "validate/microbench/microbench.cuh"

namespace gpumodel::microbench {
namespace {

__global__ void empty() {}

struct Stay {
    long long begin, end;
    unsigned sm;
};

__global__ void __launch_bounds__(1024) stay(long long cycles, Stay* blocks) {
    extern __shared__ float only_one[];
    const long long begin = clock64();
    // Ends at different times on different SMs, so that blocks do not queue behind each other's launch.
    const long long own = cycles + 97 * static_cast<long long>(blockIdx.x % 61);
    if (threadIdx.x == 0) {
        only_one[0] = 0;
    }
    while (clock64() - begin < own) {
    }
    __syncthreads();
    if (threadIdx.x == 0) {
        unsigned sm;
        asm volatile("mov.u32 %0, %%smid;" : "=r"(sm));
        blocks[blockIdx.x] = {begin, clock64(), sm};
    }
}

double empty_grid_seconds(int blocks) {
    cudaEvent_t begin, end;
    measure::require(cudaEventCreate(&begin), "cudaEventCreate");
    measure::require(cudaEventCreate(&end), "cudaEventCreate");
    cudaEventRecord(begin);
    empty<<<blocks, 32>>>();
    cudaEventRecord(end);
    finish("empty blocks");
    float milliseconds = 0;
    cudaEventElapsedTime(&milliseconds, begin, end);
    cudaEventDestroy(begin);
    cudaEventDestroy(end);
    return 1e-3 * double(milliseconds);
}

// Gaps between successive blocks of every SM; the median of each launch.
std::vector<double> turnover(const Device& device, int threads) {
    const int shared = std::max(device.max_shared_per_block, 48 * 1024);
    if (shared > 48 * 1024) {
        measure::require(cudaFuncSetAttribute(stay, cudaFuncAttributeMaxDynamicSharedMemorySize, shared),
                         "shared memory");
    }
    const int blocks = 8 * device.sm_count;
    const DeviceArray<Stay> records(static_cast<std::size_t>(blocks));
    std::vector<double> samples;
    for (int i = 0; i < repetitions; ++i) {
        stay<<<blocks, threads, static_cast<std::size_t>(shared)>>>(20000, records.data());
        finish("block turnover");
        std::vector<Stay> all = records.host();
        std::sort(all.begin(), all.end(), [](const Stay& a, const Stay& b) {
            return a.sm != b.sm ? a.sm < b.sm : a.begin < b.begin;
        });
        std::vector<double> gaps;
        for (std::size_t j = 1; j < all.size(); ++j) {
            if (all[j].sm == all[j - 1].sm) {
                gaps.push_back(static_cast<double>(all[j].begin - all[j - 1].end));
            }
        }
        std::nth_element(gaps.begin(), gaps.begin() + static_cast<std::ptrdiff_t>(gaps.size() / 2),
                         gaps.end());
        samples.push_back(gaps[gaps.size() / 2]);
    }
    return samples;
}

}  // namespace

void block_scheduling(const Device& device, Recorder& recorder) {
    for (const int blocks : {16384, 65536, 262144}) {
        const std::string params = pair("BLOCKS", blocks);
        if (recorder.wanted("block_launch", params)) {
            empty_grid_seconds(blocks);
            std::vector<double> samples;
            for (int i = 0; i < repetitions; ++i) {
                const double base = empty_grid_seconds(device.sm_count);
                samples.push_back((empty_grid_seconds(blocks) - base) * device.clock_hz /
                                  (blocks - device.sm_count));
            }
            recorder.add({"block_launch", params, "cycles_per_block", "launch.blocks_per_cycle"}, samples);
        }
    }
    for (const int threads : {32, 128, 256, 512, 1024}) {
        const std::string params = pair("THREADS", threads);
        if (recorder.wanted("block_turnover", params)) {
            recorder.add({"block_turnover", params, "cycles", "launch.block_turnover"},
                         turnover(device, threads));
        }
    }
}

}  // namespace gpumodel::microbench
