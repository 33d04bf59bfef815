// Operations over the lanes of a warp: latency of one warp whose operations wait for each other, and cycles per
// operation of an SM full of warps.
//
//   nvcc -std=c++17 -O3 -arch=sm_90 -o warp_ops validate/microbench/warp_ops/warp_ops.cu
//   warp_ops > validate/data/h200_sxm_warp_ops.csv
//   nvcc -std=c++17 -O3 -arch=sm_90 -cubin -o warp_ops.cubin warp_ops.cu; cuobjdump -sass warp_ops.cubin
//
// Each step is the operation and one addition that its result goes through; `distinct` values among the lanes, for
// what compares them. `cycles`: of a step of all warps of an SM (one block of 1, 4 or 32 warps).
#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

#include "../standalone.cuh"

namespace {

constexpr int unrolled = 16;
constexpr unsigned all = 0xffffffffU;

struct Span {
    long long begin, end;
};

#define OPERATION(NAME, EXPRESSION)                                                  \
    __global__ void NAME(int steps, int distinct, unsigned* out, Span* spans) {      \
        unsigned v = threadIdx.x % distinct;                                         \
        unsigned sum = 0;                                                            \
        __syncthreads();                                                             \
        const long long begin = clock64();                                           \
        for (int s = 0; s < steps; ++s) {                                            \
            _Pragma("unroll") for (int i = 0; i < unrolled; ++i) {                   \
                sum += EXPRESSION;                                                   \
            }                                                                        \
        }                                                                            \
        __syncthreads();                                                             \
        const long long end = clock64();                                             \
        if (threadIdx.x == 0) spans[blockIdx.x] = {begin, end};                      \
        if (sum == 0x12345679U) *out = sum;                                          \
    }

// the operation's source hangs on its last result, in a way that keeps the values
OPERATION(match_any, __match_any_sync(all, v + (sum >> 31)))
OPERATION(match_all, [&] { int p; return __match_all_sync(all, v + (sum >> 31), &p); }())
OPERATION(ballot, __ballot_sync(all, v + (sum >> 31) != 0))
OPERATION(vote_any, __any_sync(all, v + (sum >> 31) != 0))
OPERATION(redux_add, __reduce_add_sync(all, v + (sum >> 31)))
OPERATION(redux_min, __reduce_min_sync(all, v + (sum >> 31)))
OPERATION(shuffle, __shfl_xor_sync(all, v + (sum >> 31), 1))
OPERATION(population, __popc(v + (sum >> 31)))
OPERATION(first_set, __ffs(v + (sum >> 31)))
OPERATION(reverse, __brev(v + (sum >> 31)))
OPERATION(addition, (v ^ (sum >> 31)))

using Kernel = void (*)(int, int, unsigned*, Span*);

double cycles(Kernel kernel, int grid, int threads, int distinct, unsigned* out, Span* spans) {
    constexpr int steps = 64;
    double least = 1e30;
    for (int r = 0; r < 4; ++r) {
        kernel<<<grid, threads>>>(steps, distinct, out, spans);
        std::vector<Span> list(grid);
        check(cudaMemcpy(list.data(), spans, grid * sizeof(Span), cudaMemcpyDeviceToHost));
        double sum = 0;
        for (const auto& span : list) {
            sum += static_cast<double>(span.end - span.begin);
        }
        const double mean = sum / grid / steps / unrolled;
        least = mean < least ? mean : least;
    }
    return least;
}

}  // namespace

int main() {
    cudaDeviceProp gpu{};
    check(cudaGetDeviceProperties(&gpu, 0));
    unsigned* out = nullptr;
    Span* spans = nullptr;
    check(cudaMalloc(&out, 4));
    check(cudaMalloc(&spans, sizeof(Span) * 2 * gpu.multiProcessorCount));
    std::printf("# gpu: %s\noperation,distinct,threads,cycles\n", gpu.name);
    const std::vector<std::pair<const char*, Kernel>> list{
        {"addition", addition},   {"match_any", match_any}, {"match_all", match_all}, {"ballot", ballot},
        {"vote_any", vote_any},   {"redux_add", redux_add}, {"redux_min", redux_min}, {"shuffle", shuffle},
        {"population", population}, {"first_set", first_set}, {"reverse", reverse}};
    for (const auto& [name, kernel] : list) {
        for (int distinct : {1, 2, 8, 32}) {
            for (int threads : {32, 128, 1024}) {
                std::printf("%s,%d,%d,%.2f\n", name, distinct, threads,
                            cycles(kernel, gpu.multiProcessorCount, threads, distinct, out, spans));
            }
        }
    }
}
