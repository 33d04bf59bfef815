// Which SM each block of a launch goes to whose blocks all run at once and do not fill the GPU.
//
//   nvcc -std=c++17 -O3 -arch=sm_90 -o first_wave validate/microbench/block_deal/first_wave.cu
//   first_wave > validate/data/h200_sxm_first_wave.csv      one launch each; a second
//
// threads,shared_kib,blocks,least,most,at_most    blocks per SM, and how many SMs have most of them; blocks of `threads`
//   threads and shared_kib KiB of shared memory stay for 200,000 cycles, until long after all have begun.
//   first_wave map THREADS BLOCKS: the SM of each block, in the order of blocks.
#include <cuda_runtime.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "../standalone.cuh"

namespace {

// Until `cycles` have passed.
__global__ void stay(unsigned* sms, long long cycles) {
    const long long begin = clock64();
    if (threadIdx.x == 0) sms[blockIdx.x] = sm_number();
    while (clock64() - begin < cycles) {
    }
}

std::vector<unsigned> sms_of(int threads, int shared_kib, int blocks) {
    unsigned* sms = nullptr;
    check(cudaMalloc(&sms, blocks * sizeof(unsigned)));
    check(cudaFuncSetAttribute(stay, cudaFuncAttributeMaxDynamicSharedMemorySize, 227 * 1024));
    for (int i = 0; i < 2; ++i) {
        stay<<<blocks, threads, shared_kib * 1024>>>(sms, 200000);
        check(cudaDeviceSynchronize());
    }
    std::vector<unsigned> list(blocks);
    check(cudaMemcpy(list.data(), sms, blocks * sizeof(unsigned), cudaMemcpyDeviceToHost));
    check(cudaFree(sms));
    return list;
}

}  // namespace

int main(int argc, char** argv) {
    cudaDeviceProp gpu{};
    check(cudaGetDeviceProperties(&gpu, 0));
    if (argc > 3) {
        for (const auto sm : sms_of(std::atoi(argv[2]), 0, std::atoi(argv[3]))) std::printf("%u ", sm);
        std::printf("\n");
        return 0;
    }
    std::printf("# gpu: %s\nthreads,shared_kib,blocks,least,most,at_most\n", gpu.name);
    const int sms = gpu.multiProcessorCount;
    for (const auto& [threads, shared_kib] : {std::pair{64, 0}, {128, 0}, {256, 0}, {512, 0}, {1024, 0}, {128, 24}, {256, 50}}) {
        const int resident = std::min(std::min(2048 / threads, 32), shared_kib > 0 ? 227 / (shared_kib + 1) : 32);
        for (int eighths = 1; eighths <= 8 * resident; ++eighths) {
            const int blocks = sms * eighths / 8;
            const auto list = sms_of(threads, shared_kib, blocks);
            std::vector<int> count(sms);
            for (const auto sm : list) ++count[sm];
            const int most = *std::max_element(count.begin(), count.end());
            std::printf("%d,%d,%d,%d,%d,%d\n", threads, shared_kib, blocks, *std::min_element(count.begin(), count.end()), most,
                        static_cast<int>(std::count(count.begin(), count.end(), most)));
        }
    }
}
