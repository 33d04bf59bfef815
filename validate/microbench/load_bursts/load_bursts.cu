// A product's inner loop that loads what it multiplies in the same step, as compilers leave it where they do not
// unroll: bursts of shared loads, then the products of what they brought.
//
//   nvcc -std=c++17 -O3 -arch=sm_90 -o load_bursts validate/microbench/load_bursts/load_bursts.cu
//   load_bursts > validate/data/h200_sxm_load_bursts.csv      one row per launch, the last of three; a second
//
// Every warp runs the same loop of `steps` steps, from the same cycle on; `blocks` blocks are resident on each SM,
// held there by their dynamic shared memory. `cycles_per_step`: until the last warp of the SM ends, mean over four
// SMs. With barriers every sixteenth step ends in one (an instruction with a guard, which the others pass over).
//   wide16x4   a column of 16 by a row of 4 per thread: 5 loads of 16 bytes, 64 products
//   wide8x8    8 by 8: 4 loads of 16 bytes, 64 products
//   wide4x4    4 by 4: 2 loads, 16 products
//   pairs16x4  16 by 4 by loads of 8 bytes
//   words16x4  16 by 4 by loads of 4 bytes
//   ahead16x4  16 by 4, loaded one step ahead
//
// The code for a simulator, which starts all warps of an SM together anyway:
//   nvcc -std=c++17 -O3 -arch=sm_90 -DALL_START_TOGETHER -cubin -o bursts.cubin load_bursts.cu
//   cuobjdump -sass bursts.cubin | gzip -9n > sm_90.sass.gz
#include <cuda_runtime.h>

#include <algorithm>
#include <cstdio>
#include <iterator>
#include <utility>
#include <vector>

#include "../standalone.cuh"

namespace {

struct Mark {
    unsigned sm;
    long long begin, end;
};

constexpr int words = 6144;  // of shared memory
constexpr int row_bytes = 512;
constexpr int b_begin = 16384;  // bytes

template <int N>
__device__ __forceinline__ void load(float* to, unsigned from) {
    if constexpr (N == 4) {
        asm volatile("ld.volatile.shared.v4.f32 {%0, %1, %2, %3}, [%4];"
                     : "=f"(to[0]), "=f"(to[1]), "=f"(to[2]), "=f"(to[3])
                     : "r"(from));
    } else if constexpr (N == 2) {
        asm volatile("ld.volatile.shared.v2.f32 {%0, %1}, [%2];" : "=f"(to[0]), "=f"(to[1]) : "r"(from));
    } else {
        asm volatile("ld.volatile.shared.f32 %0, [%1];" : "=f"(to[0]) : "r"(from));
    }
}

template <int A, int B, int WIDTH>
__device__ __forceinline__ void load_step(float* a, float* b, unsigned a_at, unsigned b_at) {
    for (int j = 0; j < B; j += WIDTH)
        load<WIDTH>(b + j, b_at + j / 4 * 256 + j % 4 * 4);
    for (int i = 0; i < A; i += WIDTH)
        load<WIDTH>(a + i, a_at + i / 8 * 256 + i % 8 * 4);
}

template <int A, int B, int WIDTH, bool AHEAD, bool BARRIERS>
__global__ void __launch_bounds__(512) bursts(float* out, Mark* marks, int steps, float x) {
    extern __shared__ float shared[];
    for (int i = threadIdx.x; i < words; i += blockDim.x)
        shared[i] = x * i;
    __syncthreads();
    const unsigned base = unsigned(__cvta_generic_to_shared(shared));
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    const unsigned a_at = base + lane / 4 * 32, b_at = base + b_begin + warp % 8 * 64 + lane % 4 * 16;
    float c[A][B] = {}, a[A] = {}, b[B] = {}, next_a[A], next_b[B];
#ifndef ALL_START_TOGETHER
    const long long round_time = (clock64() >> 19) + 2 << 19;
    while (clock64() < round_time) {
    }
#endif
    const long long begin = clock64();
    if (AHEAD)
        load_step<A, B, WIDTH>(next_a, next_b, a_at, b_at);
#pragma unroll 1
    for (int step = 0; step < steps; ++step) {
        const unsigned row = step % 16 * row_bytes;
        if (AHEAD) {
            for (int i = 0; i < A; ++i)
                a[i] = next_a[i];
            for (int j = 0; j < B; ++j)
                b[j] = next_b[j];
            load_step<A, B, WIDTH>(next_a, next_b, a_at + row, b_at + row);
        } else {
            load_step<A, B, WIDTH>(a, b, a_at + row, b_at + row);
        }
        for (int i = 0; i < A; ++i) {
            for (int j = 0; j < B; ++j)
                c[i][j] = fmaf(a[i], b[j], c[i][j]);
        }
        if (BARRIERS && step % 16 == 15)
            __syncthreads();
    }
    const long long end = clock64();
    float sum = AHEAD ? next_a[0] + next_b[0] : 0;
    for (auto& line : c) {
        for (float v : line)
            sum += v;
    }
    out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
    if (threadIdx.x % 32 == 0)
        marks[(blockIdx.x * blockDim.x + threadIdx.x) / 32] = {sm_number(), begin, end};
}

using Kernel = void (*)(float*, Mark*, int, float);

void measure(const char* name, Kernel kernel, int barriers, int sms, int blocks, int threads, float* out,
             Mark* marks) {
    constexpr int steps = 256;
    const int shared = 226 * 1024 / blocks / 1024 * 1024 - 1024;
    check(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, shared));
    int resident = 0;
    check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&resident, kernel, threads, shared));
    if (resident < blocks)
        return;  // for want of registers
    const int warps = sms * blocks * threads / 32;
    for (int launch = 0; launch < 3; ++launch) {
        kernel<<<sms * blocks, threads, shared>>>(out, marks, steps, 0.5f);
        check(cudaDeviceSynchronize());
    }
    std::vector<Mark> got(warps);
    check(cudaMemcpy(got.data(), marks, got.size() * sizeof(Mark), cudaMemcpyDeviceToHost));
    double cycles = 0;
    int counted = 0;
    for (unsigned sm = 0; sm < 4; ++sm) {
        std::vector<Mark> of_sm;
        std::copy_if(got.begin(), got.end(), std::back_inserter(of_sm), [sm](const Mark& m) { return m.sm == sm; });
        const auto by_begin = [](const Mark& l, const Mark& r) { return l.begin < r.begin; };
        const auto by_end = [](const Mark& l, const Mark& r) { return l.end < r.end; };
        const auto [first, last] = std::minmax_element(of_sm.begin(), of_sm.end(), by_begin);
        if (of_sm.size() != size_t(blocks * threads / 32) || last->begin - first->begin > 2000)
            continue;
        cycles += std::max_element(of_sm.begin(), of_sm.end(), by_end)->end - first->begin;
        ++counted;
    }
    if (counted > 0)
        std::printf("%s,%d,%d,%d,%d,%.1f\n", name, barriers, blocks, threads, steps, cycles / counted / steps);
}

struct Case {
    const char* name;
    Kernel without, with;
};

template <int A, int B, int WIDTH, bool AHEAD = false>
Case loop(const char* name) {
    return {name, bursts<A, B, WIDTH, AHEAD, false>, bursts<A, B, WIDTH, AHEAD, true>};
}

}  // namespace

int main() {
    cudaDeviceProp device;
    check(cudaGetDeviceProperties(&device, 0));
    const int sms = device.multiProcessorCount;
    float* out;
    Mark* marks;
    check(cudaMalloc(&out, size_t(sms) * 2048 * sizeof(float)));
    check(cudaMalloc(&marks, size_t(sms) * 64 * sizeof(Mark)));
    const Case cases[] = {loop<16, 4, 4>("wide16x4"),  loop<8, 8, 4>("wide8x8"),    loop<4, 4, 4>("wide4x4"),
                          loop<16, 4, 2>("pairs16x4"), loop<16, 4, 1>("words16x4"), loop<16, 4, 4, true>("ahead16x4")};
    std::printf("# gpu: %s\nloop,barriers,blocks,threads,steps,cycles_per_step\n", device.name);
    for (const Case& c : cases) {
        for (const auto& [blocks, threads] : std::vector<std::pair<int, int>>{
                 {1, 128}, {2, 128}, {3, 128}, {4, 128}, {1, 256}, {2, 256}, {1, 384}, {1, 512}}) {
            measure(c.name, c.without, 0, sms, blocks, threads, out, marks);
            measure(c.name, c.with, 1, sms, blocks, threads, out, marks);
        }
    }
}
