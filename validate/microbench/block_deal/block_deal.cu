// Which SM runs which block of a product, and when: how the blocks behind the first ones are dealt.
//
//   nvcc -std=c++17 -O3 -arch=sm_90 -I. -o block_deal validate/microbench/block_deal/block_deal.cu
//   block_deal > deal.csv          one row per block of the third launch; two seconds
//
// The kernels of validate/kernels as they are, each as a device function in a kernel that writes the SM's
// number, the global timer and the SM's clock before and behind it: registers, and with them the blocks that
// are resident, may be other ones than the kernel's own. `us` is the launch by events. summarise.py makes
// data/h200_sxm_block_deal.csv of the rows.
#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

#include "validate/microbench/standalone.cuh"

#pragma push_macro("__global__")
#pragma push_macro("__launch_bounds__")
#undef __global__
#undef __launch_bounds__
#define __global__ __device__ __forceinline__
#define __launch_bounds__(...)
#include "validate/kernels/block_tile.cuh"
#include "validate/kernels/double_buffer.cuh"
#include "validate/kernels/sub_tile.cuh"
#include "validate/kernels/vector_tile.cuh"
#include "validate/kernels/warp_tile.cuh"
#pragma pop_macro("__global__")
#pragma pop_macro("__launch_bounds__")

namespace {

struct Block {
    unsigned sm;
    unsigned long long begin, end;  // of the global timer, ns
    long long clock_begin, clock_end;
};

struct Problem {
    int m, n, k;
    const float *a, *b;
    float* c;
    Block* log;
};

__device__ unsigned long long global_timer() {
    unsigned long long t;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(t));
    return t;
}

using Kernel = void (*)(Problem);

struct Logged {
    const char *family, *arguments;
    Kernel kernel;
    int threads, bm, bn;
};

#define LOGGED(number, family, threads, ...)                                              \
    __global__ void __launch_bounds__(threads) logged_##number(Problem p) {               \
        Block* log = p.log + blockIdx.y * gridDim.x + blockIdx.x;                         \
        if (threadIdx.x == 0) {                                                           \
            log->sm = sm_number();                                                        \
            log->begin = global_timer();                                                  \
            log->clock_begin = clock64();                                                 \
        }                                                                                 \
        gpumodel::kernels::family<__VA_ARGS__>(p.m, p.n, p.k, 1.0f, p.a, p.b, 0.5f, p.c); \
        __syncthreads();                                                                  \
        if (threadIdx.x == 0) {                                                           \
            log->end = global_timer();                                                    \
            log->clock_end = clock64();                                                   \
        }                                                                                 \
    }
// number, family, threads, template arguments of the kernel
#define KERNELS(X)                                                         \
    X(0, warptile, 128, 128, 128, 16, 64, 64, 4, 8, 4, 128, 0)             \
    X(1, warptile, 64, 64, 128, 8, 64, 64, 1, 4, 8, 64, 0)                 \
    X(2, warptile, 128, 64, 256, 16, 32, 128, 1, 4, 4, 128, 0)             \
    X(3, warptile, 128, 64, 128, 16, 16, 128, 1, 4, 4, 128, 0)             \
    X(4, warptile, 64, 64, 128, 16, 32, 128, 1, 4, 4, 64, 0)               \
    X(5, doublebuffer, 128, 128, 128, 16, 64, 64, 4, 8, 4, 128, 0)         \
    X(6, doublebuffer_async, 128, 128, 128, 8, 32, 128, 2, 8, 8, 128, 0)   \
    X(7, doublebuffer_async, 64, 128, 64, 8, 64, 64, 4, 4, 4, 64, 0)       \
    X(8, doublebuffer_split, 128, 256, 64, 8, 128, 32, 2, 8, 4, 128, 0)    \
    X(9, blocktile2d, 128, 128, 128, 4, 16, 8, 0)                          \
    X(10, vectorized, 256, 128, 128, 8, 8, 8, 0)                           \
    X(11, vectorized, 64, 64, 64, 4, 16, 4, 0)                             \
    X(12, blocktile2d, 256, 64, 64, 16, 4, 4, 0)                           \
    X(13, autotuned, 256, 256, 128, 8, 8, 8, 0)                            \
    X(14, autotuned, 256, 128, 256, 16, 8, 4, 0)                           \
    X(15, autotuned, 256, 64, 128, 32, 4, 8, 0)                            \
    X(16, autotuned, 256, 128, 256, 8, 8, 8, 0)                            \
    X(17, autotuned, 256, 64, 256, 16, 4, 16, 0)                           \
    X(18, blocktile2d, 64, 64, 32, 8, 8, 4, 0)                             \
    X(19, blocktile2d, 128, 128, 128, 32, 8, 16, 0)                        \
    X(20, blocktile2d, 256, 64, 256, 8, 4, 16, 0)                          \
    X(21, blocktile2d, 128, 256, 32, 16, 16, 4, 0)                         \
    X(22, blocktile2d, 128, 128, 128, 8, 8, 16, 0)                         \
    X(23, blocktile2d, 64, 128, 64, 32, 8, 16, 0)                          \
    X(24, warptile, 256, 128, 128, 32, 64, 32, 1, 8, 4, 256, 0)            \
    X(25, warptile, 256, 256, 128, 16, 128, 32, 1, 8, 8, 256, 0)           \
    X(26, warptile, 256, 256, 128, 8, 32, 128, 2, 8, 8, 256, 0)            \
    X(27, warptile, 256, 64, 64, 32, 32, 16, 1, 4, 4, 256, 0)              \
    X(28, warptile, 256, 128, 256, 8, 64, 64, 4, 4, 8, 256, 0)             \
    X(29, warptile, 256, 256, 128, 16, 128, 32, 2, 4, 8, 256, 0)           \
    X(30, doublebuffer, 64, 64, 64, 16, 64, 32, 1, 4, 4, 64, 0)            \
    X(31, doublebuffer, 128, 128, 128, 8, 128, 32, 1, 4, 4, 128, 0)        \
    X(32, doublebuffer_split, 128, 64, 256, 16, 64, 64, 4, 4, 8, 128, 0)   \
    X(33, doublebuffer_split, 256, 128, 256, 8, 64, 64, 2, 8, 8, 256, 0)   \
    X(34, doublebuffer_split, 256, 128, 128, 16, 128, 16, 1, 4, 4, 256, 0) \
    X(35, vectorized, 64, 64, 64, 4, 8, 8, 0)                              \
    X(36, vectorized, 128, 128, 128, 4, 8, 16, 0)                          \
    X(37, autotuned, 256, 64, 128, 64, 4, 8, 0)                            \
    X(38, blocktile2d, 128, 32, 128, 16, 4, 8, 0)

KERNELS(LOGGED)

#define ROW(number, family, threads, bm, bn, ...) \
    {#family, #bm "," #bn "," #__VA_ARGS__, logged_##number, threads, bm, bn},
const Logged kernels[] = {KERNELS(ROW)};

const int shapes[][3] = {{1024, 8192, 512},  {1024, 8192, 2048}, {2048, 2048, 2048}, {4096, 4096, 512},
                         {4096, 4096, 4096}, {4096, 1024, 2048}, {3072, 3072, 1024}};

void measure(const Logged& k, const Problem& p) {
    const dim3 grid(static_cast<unsigned>(p.n / k.bn), static_cast<unsigned>(p.m / k.bm));
    int resident = 0;
    check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&resident, k.kernel, k.threads, 0));
    cudaEvent_t begin, end;
    check(cudaEventCreate(&begin));
    check(cudaEventCreate(&end));
    float ms = 0;
    for (int i = 0; i < 3; ++i) {
        check(cudaEventRecord(begin));
        k.kernel<<<grid, static_cast<unsigned>(k.threads)>>>(p);
        check(cudaEventRecord(end));
        check(cudaEventSynchronize(end));
        check(cudaEventElapsedTime(&ms, begin, end));
    }
    std::vector<Block> blocks(static_cast<std::size_t>(grid.x) * grid.y);
    check(cudaMemcpy(blocks.data(), p.log, blocks.size() * sizeof(Block), cudaMemcpyDeviceToHost));
    unsigned long long first = blocks.front().begin;
    for (const auto& b : blocks) {
        first = b.begin < first ? b.begin : first;
    }
    for (std::size_t i = 0; i < blocks.size(); ++i) {
        const auto& b = blocks[i];
        std::printf("%s,\"%s\",%d,%d,%d,%d,%.1f,%zu,%u,%llu,%llu,%lld\n", k.family, k.arguments, p.m, p.n,
                    p.k, resident, 1e3 * static_cast<double>(ms), i, b.sm, b.begin - first, b.end - first,
                    b.clock_end - b.clock_begin);
    }
}

}  // namespace

int main() {
    constexpr std::size_t words = std::size_t{8192} * 8192;
    Problem p{};
    float *a = nullptr, *b = nullptr;
    check(cudaMalloc(&a, words * sizeof(float)));
    check(cudaMalloc(&b, words * sizeof(float)));
    check(cudaMalloc(&p.c, words * sizeof(float)));
    check(cudaMalloc(&p.log, 65536 * sizeof(Block)));
    check(cudaMemset(a, 0, words * sizeof(float)));
    check(cudaMemset(b, 0, words * sizeof(float)));
    check(cudaMemset(p.c, 0, words * sizeof(float)));
    p.a = a;
    p.b = b;
    std::puts("family,arguments,M,N,K,resident,us,block,sm,begin_ns,end_ns,clocks");
    for (const auto& k : kernels) {
        for (const auto& s : shapes) {
            p.m = s[0];
            p.n = s[1];
            p.k = s[2];
            measure(k, p);
        }
    }
    return 0;
}
