// Whose warps go first when several blocks share an SM: when each block ends its loop.
//
//   nvcc -std=c++17 -O3 -arch=sm_90 -o block_order validate/microbench/block_order/block_order.cu
//   block_order > validate/data/h200_sxm_block_order.csv      one row per launch, the second of two; a second
//
// Every warp runs the same loop of the same number of rounds, from the same cycle on; `blocks` blocks are
// resident on each SM, held there by their dynamic shared memory. Blocks go to the SMs breadth first, so a
// block's number over the count of SMs is its place in its SM's order of start. `cycles`: until the last end;
// `ends_pct`: of that, when the first block's warps end, the second's ... (mean over its warps, and over four
// SMs); `apart_pct`: from the first to the last end of a block's warps, mean over blocks.
//   ffma      products of registers that need no port twice       ports     products that do
//   lds32     shared loads of 4 bytes per lane                    lds128    of 16
//   tile      16-byte shared loads and the products of a tile's step, as a product's inner loop has them
//   steps     the same with a barrier behind every eighth step
//   ldg       global loads of lines that L1 holds                 mufu      reciprocals
//
// The code for a simulator, which starts all warps of an SM together anyway:
//   nvcc -std=c++17 -O3 -arch=sm_90 -DALL_START_TOGETHER -cubin -o order.cubin block_order.cu
//   cuobjdump -sass order.cubin | gzip -9n > sm_90.sass.gz
#include <cuda_runtime.h>

#include <algorithm>
#include <cstdio>
#include <vector>

#include "../standalone.cuh"

namespace {

struct Mark {
    unsigned sm;
    long long begin, end;
};

enum class Loop { ffma, ports, lds32, lds128, tile, steps, ldg, mufu };

constexpr int words = 4096;  // of shared memory that the loops read

template <Loop loop>
__device__ float run(const float* shared, const float* lines, int rounds, float x) {
    const int lane = threadIdx.x % 32;
    float sum = 0;
    if constexpr (loop == Loop::ffma || loop == Loop::ports || loop == Loop::mufu) {
        float v[32];
        for (int i = 0; i < 32; ++i)
            v[i] = x * i + threadIdx.x;
#pragma unroll 1
        for (int r = 0; r < rounds; ++r) {
#pragma unroll
            for (int i = 0; i < 128; ++i) {
                float& a = v[i % 32];
                if constexpr (loop == Loop::ffma) {
                    a = fmaf(a, x, x);
                } else if constexpr (loop == Loop::ports) {
                    a = fmaf(v[(i + 8) % 32], v[(i + 16) % 32], a);
                } else if (i < 16) {
                    asm volatile("rcp.approx.ftz.f32 %0, %0;" : "+f"(a));
                }
            }
        }
        for (float a : v)
            sum += a;
    } else if constexpr (loop == Loop::lds32 || loop == Loop::lds128 || loop == Loop::ldg) {
        const auto* wide = reinterpret_cast<const float4*>(shared) + lane;
        float4 s{};
#pragma unroll 1
        for (int r = 0; r < rounds; ++r) {
#pragma unroll
            for (int i = 0; i < 16; ++i) {
                if constexpr (loop == Loop::lds128) {
                    float4 q;
                    asm volatile("ld.volatile.shared.v4.f32 {%0, %1, %2, %3}, [%4];"
                                 : "=f"(q.x), "=f"(q.y), "=f"(q.z), "=f"(q.w)
                                 : "r"(unsigned(__cvta_generic_to_shared(wide + i * 32))));
                    s.x += q.x;
                    s.y += q.w;
                } else if constexpr (loop == Loop::ldg) {
                    float q;
                    asm volatile("ld.global.ca.f32 %0, [%1];"
                                 : "=f"(q)
                                 : "l"(lines + (r % 16 + i) * 32 + lane));
                    s.x += q;
                } else {
                    float q;
                    asm volatile("ld.volatile.shared.f32 %0, [%1];"
                                 : "=f"(q)
                                 : "r"(unsigned(__cvta_generic_to_shared(shared + i * 32 + lane))));
                    s.x += q;
                }
            }
        }
        sum = s.x + s.y;
    } else {
        float c[8][8] = {};
        const unsigned row = threadIdx.x / 16 % 16, column = threadIdx.x % 16;
        const auto* a = reinterpret_cast<const float4*>(shared) + row * 2;
        const auto* b = reinterpret_cast<const float4*>(shared) + 512 + column;
#pragma unroll 1
        for (int r = 0; r < rounds; ++r) {
#pragma unroll
            for (int k = 0; k < 8; ++k) {
                float p[8], q[8];
                for (int h = 0; h < 2; ++h) {
                    asm volatile("ld.volatile.shared.v4.f32 {%0, %1, %2, %3}, [%4];"
                                 : "=f"(p[4 * h]), "=f"(p[4 * h + 1]), "=f"(p[4 * h + 2]), "=f"(p[4 * h + 3])
                                 : "r"(unsigned(__cvta_generic_to_shared(a + k * 32 + h))));
                    asm volatile("ld.volatile.shared.v4.f32 {%0, %1, %2, %3}, [%4];"
                                 : "=f"(q[4 * h]), "=f"(q[4 * h + 1]), "=f"(q[4 * h + 2]), "=f"(q[4 * h + 3])
                                 : "r"(unsigned(__cvta_generic_to_shared(b + k * 32 + h * 16))));
                }
                for (int i = 0; i < 8; ++i) {
                    for (int j = 0; j < 8; ++j)
                        c[i][j] = fmaf(p[i], q[j], c[i][j]);
                }
            }
            if constexpr (loop == Loop::steps)
                __syncthreads();
        }
        for (auto& line : c) {
            for (float v : line)
                sum += v;
        }
    }
    return sum;
}

template <Loop loop>
__global__ void __launch_bounds__(512)
    order(const float* lines, float* out, Mark* marks, int rounds, float x) {
    extern __shared__ float4 room[];
    auto* shared = reinterpret_cast<float*>(room);
    for (int i = threadIdx.x; i < words; i += blockDim.x)
        shared[i] = x * i;
    float first = 0;
    for (int i = 0; i < 32; ++i)
        first += lines[i * 32 + threadIdx.x % 32];
    __syncthreads();
#ifndef ALL_START_TOGETHER
    const long long round_time = (clock64() >> 19) + 2 << 19;
    while (clock64() < round_time) {
    }
#endif
    const long long begin = clock64();
    const float sum = run<loop>(shared, lines, rounds, x);
    const long long end = clock64();
    out[blockIdx.x * blockDim.x + threadIdx.x] = sum + first;
    if (threadIdx.x % 32 == 0) {
        marks[(blockIdx.x * blockDim.x + threadIdx.x) / 32] = {sm_number(), begin, end};
    }
}

struct Case {
    const char* name;
    void (*kernel)(const float*, float*, Mark*, int, float);
    int rounds;
};

void measure(const Case& c, int sms, int blocks, int threads, const float* lines, float* out, Mark* marks) {
    const int shared = 226 * 1024 / blocks / 1024 * 1024 - 1024;
    check(cudaFuncSetAttribute(c.kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, shared));
    int resident = 0;
    check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&resident, c.kernel, threads, shared));
    if (resident < blocks)
        return;  // for want of registers
    const int all = sms * blocks, warps = threads / 32;
    for (int launch = 0; launch < 2; ++launch) {
        c.kernel<<<all, threads, shared>>>(lines, out, marks, c.rounds, 0.5f);
        check(cudaDeviceSynchronize());
    }
    std::vector<Mark> got(all * warps);
    check(cudaMemcpy(got.data(), marks, got.size() * sizeof(Mark), cudaMemcpyDeviceToHost));
    std::vector<double> ends(blocks);
    double cycles = 0, apart = 0;
    int counted = 0;
    for (unsigned sm = 0; sm < 4; ++sm) {
        std::vector<const Mark*> of_sm;  // in order of start
        for (const auto& m : got) {
            if (m.sm == sm)
                of_sm.push_back(&m);
        }
        const auto by_begin = [](const Mark* a, const Mark* b) { return a->begin < b->begin; };
        const auto by_end = [](const Mark* a, const Mark* b) { return a->end < b->end; };
        const auto [first, last] = std::minmax_element(of_sm.begin(), of_sm.end(), by_begin);
        if (of_sm.size() != size_t(blocks * warps) || (*last)->begin - (*first)->begin > 2000)
            continue;
        const double span = (*std::max_element(of_sm.begin(), of_sm.end(), by_end))->end - (*first)->begin;
        for (int b = 0; b < blocks; ++b) {
            const auto begin = of_sm.begin() + b * warps;
            for (auto m = begin; m != begin + warps; ++m)
                ends[b] += ((*m)->end - (*first)->begin) / span / warps;
            const auto [early, late] = std::minmax_element(begin, begin + warps, by_end);
            apart += ((*late)->end - (*early)->end) / span / blocks;
        }
        cycles += span;
        ++counted;
    }
    if (counted == 0)
        return;
    std::printf("%s,%d,%d,%d,%.0f,", c.name, blocks, threads, c.rounds, cycles / counted);
    for (int b = 0; b < blocks; ++b)
        std::printf("%s%.1f", b == 0 ? "" : " ", 100 * ends[b] / counted);
    std::printf(",%.1f\n", 100 * apart / counted);
}

}  // namespace

int main() {
    cudaDeviceProp device;
    check(cudaGetDeviceProperties(&device, 0));
    float *lines, *out;
    Mark* marks;
    check(cudaMalloc(&lines, words * sizeof(float)));
    check(cudaMemset(lines, 0, words * sizeof(float)));
    check(cudaMalloc(&out, size_t(device.multiProcessorCount) * 2048 * sizeof(float)));
    check(cudaMalloc(&marks, size_t(device.multiProcessorCount) * 64 * sizeof(Mark)));
    const Case cases[] = {{"ffma", order<Loop::ffma>, 400},    {"ports", order<Loop::ports>, 400},
                          {"lds32", order<Loop::lds32>, 1000}, {"lds128", order<Loop::lds128>, 400},
                          {"tile", order<Loop::tile>, 100},    {"steps", order<Loop::steps>, 100},
                          {"ldg", order<Loop::ldg>, 1000},     {"mufu", order<Loop::mufu>, 400}};
    std::printf("# gpu: %s\nloop,blocks,threads,rounds,cycles,ends_pct,apart_pct\n", device.name);
    for (const auto& c : cases) {
        for (int threads : {64, 128, 256, 512}) {
            for (int blocks : {1, 2, 3, 4, 6}) {
                measure(c, device.multiProcessorCount, blocks, threads, lines, out, marks);
            }
        }
    }
}
