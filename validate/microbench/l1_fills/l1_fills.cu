// What L1's data stage takes for loads that hit, that miss and are answered by L2, and for both in turn: whether the
// data that come have it to themselves or pass beside loads that leave banks free.
//
//   nvcc -std=c++17 -O3 -arch=sm_90 -o l1_fills validate/microbench/l1_fills/l1_fills.cu
//   l1_fills > validate/data/h200_sxm_l1_fills.csv      medians of nine launches in a held stream; a second
//
// kernel,blocks,threads,lines,hot,time_us
//   pieces_W_P_S   65,536 loads a block of W bytes a lane, eight of a warp under way; its lanes' data lie in pieces of P
//                  bytes, each in a line of its own, at the line's beginning (S = 0) or one behind the other (S = 1)
//   beside_W_N     the same of whole lines, and N shared loads of 16 bytes a lane with each, without conflicts
//   lines, hot     every other load goes on through `hot` lines, the rest through `lines` ones, and then begins anew:
//                  1,024 stay in L1, 65,536 in L2
#include <cuda_runtime.h>

#include <cstdio>
#include <utility>

#include "../held_stream.cuh"

namespace {

template <int WIDTH>
__device__ __forceinline__ unsigned load(const char* at) {
    unsigned v[4] = {};
    if constexpr (WIDTH == 4) {
        asm volatile("ld.global.ca.u32 %0, [%1];" : "=r"(v[0]) : "l"(at));
    } else if constexpr (WIDTH == 8) {
        asm volatile("ld.global.ca.v2.u32 {%0, %1}, [%2];" : "=r"(v[0]), "=r"(v[1]) : "l"(at));
    } else {
        asm volatile("ld.global.ca.v4.u32 {%0, %1, %2, %3}, [%4];" : "=r"(v[0]), "=r"(v[1]), "=r"(v[2]), "=r"(v[3]) : "l"(at));
    }
    return v[0] ^ v[1] ^ v[2] ^ v[3];
}

constexpr int under_way = 8, line_bytes = 128, loads_of_block = 65536;

template <int WIDTH, int PIECE, bool SKEW>
__device__ void pieces(const char* data, unsigned* out, int lines, int hot, int rounds) {
    constexpr unsigned count = 32 * WIDTH / PIECE;
    const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32, warps = blockDim.x / 32;
    const unsigned piece = lane * WIDTH / PIECE;
    const unsigned at = (SKEW ? piece * PIECE % line_bytes : 0) + lane * WIDTH % PIECE;
    unsigned sum = 0;
#pragma unroll 1
    for (unsigned round = 0; round < static_cast<unsigned>(rounds); ++round) {
        unsigned v[under_way];
        const unsigned first = (round * warps + warp) * under_way * count + piece;
#pragma unroll
        for (int c = 0; c < under_way; ++c) {
            const unsigned line = (first + c * count) & static_cast<unsigned>((c % 2 == 0 ? lines : hot) - 1);
            v[c] = load<WIDTH>(data + line * line_bytes + at);
        }
#pragma unroll
        for (int c = 0; c < under_way; ++c) sum ^= v[c];
    }
    out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

#define PIECES(W, P, S)                                                                                           \
    __global__ void __launch_bounds__(1024)                                                                       \
        pieces_##W##_##P##_##S(const char* data, unsigned* out, int lines, int hot, int rounds) {                 \
        pieces<W, P, S != 0>(data, out, lines, hot, rounds);                                                      \
    }
// Shared loads beside loads of whole lines.
template <int WIDTH, int LOADS>
__device__ void beside(const char* data, unsigned* out, int lines, int hot, int rounds) {
    __shared__ uint4 table[1024];
    constexpr unsigned count = 32 * WIDTH / line_bytes;
    const unsigned warp = threadIdx.x / 32, warps = blockDim.x / 32, at = threadIdx.x % 32 * WIDTH;
    table[threadIdx.x] = make_uint4(threadIdx.x, 0, 0, 0);
    __syncthreads();
    const unsigned own = static_cast<unsigned>(__cvta_generic_to_shared(table + threadIdx.x));
    unsigned sum = 0;
#pragma unroll 1
    for (unsigned round = 0; round < static_cast<unsigned>(rounds); ++round) {
        unsigned v[under_way];
        const unsigned first = (round * warps + warp) * under_way * count;
#pragma unroll
        for (int c = 0; c < under_way; ++c) {
            const unsigned line = (first + c * count) & static_cast<unsigned>((c % 2 == 0 ? lines : hot) - 1);
            v[c] = load<WIDTH>(data + line * line_bytes + at);
        }
#pragma unroll
        for (int l = 0; l < LOADS * under_way; ++l) {
            uint4 s;
            asm volatile("ld.shared.v4.u32 {%0, %1, %2, %3}, [%4];" : "=r"(s.x), "=r"(s.y), "=r"(s.z), "=r"(s.w) : "r"(own));
            sum ^= s.x ^ s.y ^ s.z ^ s.w;
        }
#pragma unroll
        for (int c = 0; c < under_way; ++c) sum ^= v[c];
    }
    out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}
#define BESIDE(W, N)                                                                                              \
    __global__ void __launch_bounds__(1024)                                                                       \
        beside_##W##_##N(const char* data, unsigned* out, int lines, int hot, int rounds) {                       \
        beside<W, N>(data, out, lines, hot, rounds);                                                       \
    }
BESIDE(4, 1) BESIDE(4, 2) BESIDE(4, 4) BESIDE(16, 1) BESIDE(16, 2) BESIDE(16, 4)

#define ALL(M) M(4, 16, 0) M(4, 16, 1) M(4, 32, 0) M(4, 32, 1) M(4, 64, 0) M(4, 64, 1) M(4, 128, 0) M(8, 32, 0) M(8, 32, 1) \
    M(8, 64, 0) M(8, 64, 1) M(8, 128, 0) M(16, 32, 0) M(16, 32, 1) M(16, 64, 0) M(16, 64, 1) M(16, 128, 0)
ALL(PIECES)

cudaStream_t stream;
char* from;
unsigned* to;

using Kernel = void(const char*, unsigned*, int, int, int);

void measure(const char* name, Kernel kernel) {
    constexpr int few = 1024, many = 65536;
    for (const unsigned blocks : {1U, 132U}) {
        for (const unsigned threads : {128U, 256U, 512U, 1024U}) {
            for (const auto& [lines, hot] : {std::pair{few, few}, std::pair{many, many}, std::pair{many, few}}) {
                const int rounds = loads_of_block / under_way / static_cast<int>(threads / 32);
                const double us = held_median_us(
                    stream, true, 11, [] {}, [&, l = lines, h = hot] { kernel<<<blocks, threads, 0, stream>>>(from, to, l, h, rounds); });
                check(cudaGetLastError());
                std::printf("%s,%u,%u,%d,%d,%.2f\n", name, blocks, threads, lines, hot, us);
            }
        }
    }
    std::fflush(stdout);
}

}  // namespace

int main() {
    cudaDeviceProp gpu{};
    check(cudaGetDeviceProperties(&gpu, 0));
    check(cudaStreamCreate(&stream));
    check(cudaMalloc(&from, 8 << 20));
    check(cudaMemset(from, 0, 8 << 20));
    check(cudaMalloc(&to, 1 << 20));
    std::printf("# gpu: %s\nkernel,blocks,threads,lines,hot,time_us\n", gpu.name);
#define MEASURE(W, P, S) measure("pieces_" #W "_" #P "_" #S, pieces_##W##_##P##_##S);
    ALL(MEASURE)
#define MEASURE_BESIDE(W, N) measure("beside_" #W "_" #N, beside_##W##_##N);
    MEASURE_BESIDE(4, 1) MEASURE_BESIDE(4, 2) MEASURE_BESIDE(4, 4)
    MEASURE_BESIDE(16, 1) MEASURE_BESIDE(16, 2) MEASURE_BESIDE(16, 4)
}
