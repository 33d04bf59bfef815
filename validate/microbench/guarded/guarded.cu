// Memory instructions that a guard keeps all lanes from, barriers, and trees of both: cycles of a step.
//
//   nvcc -std=c++17 -O3 -arch=sm_90 -o guarded validate/microbench/guarded/guarded.cu
//   guarded > validate/data/h200_sxm_guarded.csv             the least of four launches; seconds
//   nvcc -std=c++17 -O3 -arch=sm_90 -cubin -o guarded.cubin guarded.cu
//   cuobjdump -sass guarded.cubin | gzip -9n > sm_90.sass.gz
//
//   ldg, stg, sts   16 of them in a step's code, of which no lane of a warp does any; loads wait for each other
//   barriers        16 of them
//   tree            a sum of 256 words in shared memory, unrolled: half of the threads in each level
//   tree_all        the same, all threads in each level
//   tree_loop       as tree, its levels in a loop
// `cycles`: of a step (a tree), until the last warp of an SM has done `steps` of them; mean over the SMs.
#include <cuda_runtime.h>

#include <algorithm>
#include <cstdio>
#include <map>
#include <vector>

#include "../standalone.cuh"

namespace {

struct Mark {
    unsigned sm;
    long long begin, end;
};

constexpr int in_a_step = 16;

#define GUARDED(NAME, INSTRUCTION)                                                             \
    __global__ void NAME(int steps, int nobody, float* memory, Mark* marks) {                  \
        extern __shared__ float words[];                                                       \
        float v = 0;                                                                           \
        const auto shared = static_cast<unsigned>(__cvta_generic_to_shared(words + threadIdx.x)); \
        const long long begin = clock64();                                                     \
        for (int s = 0; s < steps; ++s) {                                                      \
            _Pragma("unroll") for (int i = 0; i < in_a_step; ++i) {                            \
                asm volatile("{.reg .pred p; setp.ne.s32 p, %1, 0; " INSTRUCTION ";}"         \
                             : "+f"(v)                                                         \
                             : "r"(nobody), "r"(shared), "l"(memory));                         \
            }                                                                                  \
        }                                                                                      \
        if (v == -1) words[0] = v;                                                             \
        note(marks, begin);                                                                    \
    }

__device__ void note(Mark* marks, long long begin) {
    const long long end = clock64();
    if (threadIdx.x % 32 == 0) {
        marks[(blockIdx.x * blockDim.x + threadIdx.x) / 32] = {sm_number(), begin, end};
    }
}

GUARDED(ldg, "@p ld.volatile.global.f32 %0, [%3]")
GUARDED(stg, "@p st.volatile.global.f32 [%3], %0")
GUARDED(sts, "@p st.volatile.shared.f32 [%2], %0")
GUARDED(barriers, "bar.sync 0")

template <bool ALL>
__device__ void level(float* words, int half) {
    if (ALL || threadIdx.x < half) {
        words[threadIdx.x] += words[threadIdx.x + half];
    }
    __syncthreads();
}

#define TREE(NAME, UNROLL, ALL)                                               \
    __global__ void NAME(int steps, int nobody, float* memory, Mark* marks) { \
        extern __shared__ float words[];                                      \
        float v = static_cast<float>(nobody);                                 \
        words[threadIdx.x + 256] = 0;                                         \
        const long long begin = clock64();                                    \
        for (int s = 0; s < steps; ++s) {                                     \
            words[threadIdx.x] = v + threadIdx.x;                             \
            __syncthreads();                                                  \
            _Pragma(UNROLL) for (int half = 128; half > 0; half >>= 1) {      \
                level<ALL>(words, half);                                      \
            }                                                                 \
            v += words[0];                                                    \
            __syncthreads();                                                  \
        }                                                                     \
        if (v == -1) memory[0] = v;                                           \
        note(marks, begin);                                                   \
    }

TREE(tree, "unroll", false)
TREE(tree_all, "unroll", true)
TREE(tree_loop, "unroll 1", false)

using Kernel = void (*)(int, int, float*, Mark*);

double cycles(Kernel kernel, int sms, int threads, int blocks, int steps, float* memory, Mark* marks) {
    const int shared = (226 / blocks - 1) * 1024;
    check(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, 227 * 1024));
    double least = 1e30;
    for (int r = 0; r < 4; ++r) {
        kernel<<<sms * blocks, threads, shared>>>(steps, 0, memory, marks);
        std::vector<Mark> list(static_cast<std::size_t>(sms) * blocks * threads / 32);
        check(cudaMemcpy(list.data(), marks, list.size() * sizeof(Mark), cudaMemcpyDeviceToHost));
        std::map<unsigned, std::pair<long long, long long>> of_sm;
        for (const auto& m : list) {
            auto& [begin, end] = of_sm.try_emplace(m.sm, m.begin, m.end).first->second;
            begin = std::min(begin, m.begin);
            end = std::max(end, m.end);
        }
        double sum = 0;
        for (const auto& [sm, span] : of_sm) {
            sum += static_cast<double>(span.second - span.first);
        }
        least = std::min(least, sum / static_cast<double>(of_sm.size()) / steps);
    }
    return least;
}

}  // namespace

int main() {
    cudaDeviceProp gpu{};
    check(cudaGetDeviceProperties(&gpu, 0));
    float* memory = nullptr;
    Mark* marks = nullptr;
    check(cudaMalloc(&memory, 4096));
    check(cudaMalloc(&marks, sizeof(Mark) * 64 * gpu.multiProcessorCount));
    std::printf("# gpu: %s\nkernel,threads,blocks,steps,cycles\n", gpu.name);
    const std::vector<std::pair<const char*, Kernel>> plain{
        {"ldg", ldg}, {"stg", stg}, {"sts", sts}, {"barriers", barriers}};
    for (const auto& [name, kernel] : plain) {
        for (int threads : {32, 128, 256, 1024}) {
            for (int blocks = 1; blocks <= 8 && blocks * threads <= 2048; blocks *= 2) {
                std::printf("%s,%d,%d,100,%.1f\n", name, threads, blocks,
                            cycles(kernel, gpu.multiProcessorCount, threads, blocks, 100, memory, marks));
            }
        }
    }
    const std::vector<std::pair<const char*, Kernel>> trees{
        {"tree", tree}, {"tree_all", tree_all}, {"tree_loop", tree_loop}};
    for (const auto& [name, kernel] : trees) {
        for (int blocks = 1; blocks <= 8; blocks *= 2) {
            std::printf("%s,256,%d,200,%.1f\n", name, blocks,
                        cycles(kernel, gpu.multiProcessorCount, 256, blocks, 200, memory, marks));
        }
    }
}
