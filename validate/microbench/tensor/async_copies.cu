// What asynchronous copies of threads (cp.async, LDGSTS) cost an SM whose data lie in pieces, in SM cycles.
// Rows: kind,path,warps,blocks,piece,trips,cycles (of one trip of a block).
//
//   nvcc -O3 -arch=sm_90 -o async_copies async_copies.cu; ./async_copies > h200_sxm_async_copies.csv
//   nvcc -arch=sm_90 -cubin async_copies.cu     (what the simulator runs: async_copies.sass.gz, CUDA 13.0)
//
// rate: four copies of 16 bytes per thread end a group, one group stays under way.
// trip: the same, two groups stay under way, and a barrier of the block follows; `_read`: with eight LDSM.x4 of
// what has come behind it; `_math`: and with 32 products of 16x8x16.
// loads: four LDG.128 per thread, stored to shared memory a trip later, barrier.
// empty: a group without copies and the wait for it, `barrier`: and a barrier of the block.
// piece: bytes side by side in device memory; the next piece lies 4224 bytes on.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

__device__ uint32_t now() {
    uint32_t t;
    asm volatile("mov.u32 %0, %%clock;" : "=r"(t)::"memory");
    return t;
}
template <bool L1>
__device__ __forceinline__ void copy(uint32_t to, const char* from) {
    if constexpr (L1)
        asm volatile("cp.async.ca.shared.global [%0], [%1], 16;" ::"r"(to), "l"(from) : "memory");
    else
        asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(to), "l"(from) : "memory");
}
__device__ __forceinline__ void end_group() {
    asm volatile("cp.async.commit_group;" ::: "memory");
}
template <int LEFT>
__device__ __forceinline__ void wait() {
    asm volatile("cp.async.wait_group %0;" ::"n"(LEFT) : "memory");
}
__device__ __forceinline__ void read_matrices(uint32_t (&to)[4], uint32_t from) {
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(to[0]), "=r"(to[1]), "=r"(to[2]), "=r"(to[3])
                 : "r"(from)
                 : "memory");
}
__device__ __forceinline__ void multiply(float (&sum)[4], const uint32_t (&a)[4], uint32_t b0, uint32_t b1) {
    asm volatile(
        "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "
        "{%0, %1, %2, %3};"
        : "+f"(sum[0]), "+f"(sum[1]), "+f"(sum[2]), "+f"(sum[3])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
}

extern __shared__ __align__(1024) char space[];
constexpr int stages = 4, copies = 4, thread_bytes = copies * 16;

// Where the thread's copies begin: 32 lanes of a warp's copy lie side by side in pieces.
struct Source {
    const char* data;
    int piece, mask;
    __device__ __forceinline__ const char* at(int trip, int c) const {
        const int warp = int(threadIdx.x) / 32, warps = int(blockDim.x) / 32, lane = int(threadIdx.x) % 32;
        const int byte = ((trip * copies + c) * warps + warp) * 512 + lane * 16;
        return data + (long(byte / piece) * (piece < 512 ? 4224 : 512) & mask) + byte % piece;
    }
};

enum class Work { none, barrier, read, math };

template <bool L1, int LEFT, Work WORK>
__device__ __forceinline__ void run(Source source, int trips, int* out) {
    const uint32_t base = static_cast<uint32_t>(__cvta_generic_to_shared(space));
    const uint32_t stage_bytes = blockDim.x * thread_bytes;
    const uint32_t lane_to = base + threadIdx.x / 32 * 512 + threadIdx.x % 32 * 16;
    source.data += long(blockIdx.x) * (source.mask + 1);
    float sums[32][4] = {};
    const char* next[copies];
#pragma unroll
    for (int c = 0; c < copies; ++c)
        next[c] = source.at(0, c);
    const long step = source.at(1, 0) - source.at(0, 0);
    __syncthreads();
    const uint32_t begin = now();
    for (int trip = 0; trip < trips; ++trip) {
        const uint32_t stage = uint32_t(trip % stages) * stage_bytes;
#pragma unroll
        for (int c = 0; c < copies; ++c)
            copy<L1>(lane_to + stage + c * (stage_bytes / copies), next[c]);
        end_group();
#pragma unroll
        for (int c = 0; c < copies; ++c)
            next[c] = source.data + (next[c] + step - source.data & source.mask);
        wait<LEFT>();
        if constexpr (WORK != Work::none)
            __syncthreads();
        if constexpr (WORK == Work::read || WORK == Work::math) {
            uint32_t tiles[8][4];
#pragma unroll
            for (int i = 0; i < 8; ++i)
                read_matrices(tiles[i], base + stage + i % 4 * 512 + threadIdx.x % 32 * 16);
            if constexpr (WORK == Work::math) {
#pragma unroll
                for (int i = 0; i < 32; ++i)
                    multiply(sums[i], tiles[i / 8], tiles[4 + i % 8 / 2][i % 2 * 2],
                             tiles[4 + i % 8 / 2][i % 2 * 2 + 1]);
            } else {
#pragma unroll
                for (int i = 0; i < 8; ++i)
                    sums[i][0] += __uint_as_float(tiles[i][0] ^ tiles[i][1] ^ tiles[i][2] ^ tiles[i][3]);
            }
        }
    }
    wait<0>();
    const uint32_t end = now();
    float all = 0;
#pragma unroll
    for (int i = 0; i < 32; ++i)
        all += sums[i][0] + sums[i][1] + sums[i][2] + sums[i][3];
    if (threadIdx.x == 0)
        out[blockIdx.x] = int(end - begin);
    if (all == 12345.0f)
        out[0] = 1;
}

extern "C" {
__global__ void rate_cg(const char* data, int piece, int mask, int trips, int* out) {
    run<false, 1, Work::none>({data, piece, mask}, trips, out);
}
__global__ void rate_ca(const char* data, int piece, int mask, int trips, int* out) {
    run<true, 1, Work::none>({data, piece, mask}, trips, out);
}
__global__ void trip_cg(const char* data, int piece, int mask, int trips, int* out) {
    run<false, 2, Work::barrier>({data, piece, mask}, trips, out);
}
__global__ void trip_cg_read(const char* data, int piece, int mask, int trips, int* out) {
    run<false, 2, Work::read>({data, piece, mask}, trips, out);
}
__global__ void trip_cg_math(const char* data, int piece, int mask, int trips, int* out) {
    run<false, 2, Work::math>({data, piece, mask}, trips, out);
}
__global__ void loads(const char* data, int piece, int mask, int trips, int* out) {
    Source source{data + long(blockIdx.x) * (mask + 1), piece, mask};
    const char* next[copies];
    uint4 held[copies];
    for (int c = 0; c < copies; ++c) {
        next[c] = source.at(0, c);
        held[c] = __ldcg(reinterpret_cast<const uint4*>(next[c]));
    }
    const long step = source.at(1, 0) - source.at(0, 0);
    const int lane_to = int(threadIdx.x) / 32 * 512 + int(threadIdx.x) % 32 * 16, stage_bytes = int(blockDim.x) * thread_bytes;
    __syncthreads();
    const uint32_t begin = now();
    for (int trip = 0; trip < trips; ++trip) {
        char* stage = space + trip % stages * stage_bytes;
#pragma unroll
        for (int c = 0; c < copies; ++c) {
            *reinterpret_cast<uint4*>(stage + lane_to + c * (stage_bytes / copies)) = held[c];
            next[c] = source.data + (next[c] + step - source.data & mask);
            held[c] = __ldcg(reinterpret_cast<const uint4*>(next[c]));
        }
        __syncthreads();
    }
    const uint32_t end = now();
    if (held[0].x + held[1].x + held[2].x + held[3].x == 12345u)
        out[0] = 1;
    if (threadIdx.x == 0)
        out[blockIdx.x] = int(end - begin);
}
__global__ void empty(const char*, int, int, int trips, int* out) {
    const uint32_t begin = now();
    for (int trip = 0; trip < trips; ++trip) {
        end_group();
        wait<0>();
    }
    const uint32_t end = now();
    if (threadIdx.x == 0)
        out[blockIdx.x] = int(end - begin);
}
__global__ void empty_barrier(const char*, int, int, int trips, int* out) {
    const uint32_t begin = now();
    for (int trip = 0; trip < trips; ++trip) {
        end_group();
        wait<2>();
        __syncthreads();
    }
    const uint32_t end = now();
    if (threadIdx.x == 0)
        out[blockIdx.x] = int(end - begin);
}
}

#ifndef __CUDA_ARCH__
#define CHECK(call)                                                                         \
    do {                                                                                    \
        const cudaError_t e = (call);                                                       \
        if (e != cudaSuccess) {                                                             \
            std::fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(e)); \
            std::exit(1);                                                                   \
        }                                                                                   \
    } while (0)

using Kernel = void (*)(const char*, int, int, int, int*);
static double cycles(Kernel kernel, const char* data, int warps, int blocks, int piece, int mask, int* out) {
    const int shared = warps * 32 * thread_bytes * stages;
    CHECK(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, shared));
    std::vector<double> times[2];
    for (int r = 0; r < 7; ++r)
        for (int part = 0; part < 2; ++part) {
            const int trips = part == 0 ? 64 : 320;
            kernel<<<blocks, warps * 32, shared>>>(data, piece, mask, trips, out);
            CHECK(cudaGetLastError());
            CHECK(cudaDeviceSynchronize());
            std::vector<int> all(blocks);
            CHECK(cudaMemcpy(all.data(), out, blocks * sizeof(int), cudaMemcpyDeviceToHost));
            double sum = 0;
            for (int t : all)
                sum += t;
            times[part].push_back(sum / blocks);
        }
    for (auto& t : times)
        std::sort(t.begin(), t.end());
    return (times[1][3] - times[0][3]) / 256;
}

int main() {
    struct Loop {
        const char *kind, *path;
        Kernel kernel;
        bool pieces;
    };
    const Loop loops[] = {{"rate", "cg", rate_cg, true},          {"rate", "ca", rate_ca, true},
                          {"trip", "cg", trip_cg, true},          {"trip", "cg_read", trip_cg_read, true},
                          {"trip", "cg_math", trip_cg_math, true}, {"loads", "cg", loads, true},
                          {"empty", "none", empty, false},        {"empty", "barrier", empty_barrier, false}};
    char* data;
    int* out;
    CHECK(cudaMalloc(&data, std::size_t(132) << 20));
    CHECK(cudaMemset(data, 0, std::size_t(132) << 20));
    CHECK(cudaMalloc(&out, 1024 * sizeof(int)));
    std::printf("kind,path,warps,blocks,piece,trips,cycles\n");
    for (const auto& loop : loops)
        for (int warps : {1, 2, 4, 8, 16})
            for (int blocks : {1, 132})
                for (int piece : {512, 256, 128, 64, 32, 16}) {
                    const bool registers_for_all = loop.kernel != trip_cg_math || warps <= 8;
                    if ((!loop.pieces && (piece != 512 || blocks > 1)) || !registers_for_all)
                        continue;
                    // one SM: 1 MiB, in L2 after the first launch; all: 128 KiB each
                    const int mask = blocks == 1 ? (1 << 20) - 1 : (1 << 17) - 1;
                    std::printf("%s,%s,%d,%d,%d,256,%.2f\n", loop.kind, loop.path, warps, blocks, piece,
                                cycles(loop.kernel, data, warps, blocks, piece, mask, out));
                }
}
#endif
