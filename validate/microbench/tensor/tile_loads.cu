// What it costs an SM to bring a tile into shared memory through registers, by how the tile's rows lie in
// device memory, in SM cycles. Rows: kind,path,order,warps,blocks,piece,trips,cycles (of one trip of a block).
//
//   nvcc -O3 -arch=sm_90 -o tile_loads tile_loads.cu; ./tile_loads > h200_sxm_tile_loads.csv
//   nvcc -O3 -arch=sm_90 -cubin tile_loads.cu     (what the simulator runs: tile_loads.sass.gz, CUDA 13.0)
//
// A trip loads four times 16 bytes per thread, or four words (kinds that end in 4). kind
//   rate  nothing else
//   tile  stores them to shared memory at once, barrier, barrier
//   read  the same with eight LDSM.x4 between the barriers, `math` and 32 products of 16x8x16
//   ahead stores what the trip before has loaded, barrier
//   copy  asynchronous copies in place of loads and stores: all have come, barrier, barrier; `ahead_copy`: those of
//         the trip before have come, barrier
// path: ca (a plain load) or cg (past L1). piece: bytes side by side, a piece per row. order: `along`, the next
// trip's pieces follow in the same rows, or `down`, they lie in the rows below. Four blocks in turn have data of
// their own, 1 MiB or more, so that L1 never has them again and L2 does.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

__device__ uint32_t now() {
    uint32_t t;
    asm volatile("mov.u32 %0, %%clock;" : "=r"(t)::"memory");
    return t;
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
constexpr int loads = 4;

// Where the rows lie: a trip's pieces `pitch` apart; the next trip's `step` on, from the start after `wrap`.
struct Rows {
    int piece, pitch, step, wrap, region;
};
struct Place {
    const char* at[loads];
    int walked = 0;
    __device__ __forceinline__ Place(const char* data, const Rows& rows, int width) {
        const int warp = int(threadIdx.x) / 32, warps = int(blockDim.x) / 32, lane = int(threadIdx.x) % 32;
        data += long(blockIdx.x % 4) * rows.region;
#pragma unroll
        for (int c = 0; c < loads; ++c) {
            const int byte = ((c * warps + warp) * 32 + lane) * width;
            at[c] = data + long(byte / rows.piece) * rows.pitch + byte % rows.piece;
        }
    }
    __device__ __forceinline__ void move(const Rows& rows) {
        walked += rows.step;
        if (walked == rows.wrap)
            walked = 0;
    }
};
template <bool L1, class T>
__device__ __forceinline__ T load(const char* at) {
    const auto* from = reinterpret_cast<const T*>(at);
    return L1 ? *from : __ldcg(from);
}
__device__ __forceinline__ void mix(uint4& sum, uint4 v) {
    sum.x ^= v.x, sum.y ^= v.y, sum.z ^= v.z, sum.w ^= v.w;
}
__device__ __forceinline__ void mix(unsigned& sum, unsigned v) { sum ^= v; }
__device__ __forceinline__ unsigned word(uint4 v) { return v.x ^ v.y ^ v.z ^ v.w; }
__device__ __forceinline__ unsigned word(unsigned v) { return v; }
template <class T>
__device__ __forceinline__ void copy(uint32_t to, const char* from) {
    asm volatile("cp.async.ca.shared.global [%0], [%1], %2;" ::"r"(to), "l"(from), "n"(int(sizeof(T))) : "memory");
}
template <int LEFT>
__device__ __forceinline__ void wait() {
    asm volatile("cp.async.commit_group;\ncp.async.wait_group %0;" ::"n"(LEFT) : "memory");
}

enum class Kind { rate, tile, read, math, ahead, copy, ahead_copy };

template <bool L1, Kind KIND, class T>
__device__ __forceinline__ void run(const char* data, Rows rows, int trips, int* out) {
    constexpr int width = sizeof(T);
    Place place(data, rows, width);
    const uint32_t from = static_cast<uint32_t>(__cvta_generic_to_shared(space));
    char* to = space + threadIdx.x * width;
    const int pass = int(blockDim.x) * width;
    float sums[32][4] = {};
    T held[loads] = {};
    __syncthreads();
    const uint32_t begin = now();
#pragma unroll 1
    for (int trip = 0; trip < trips; ++trip) {
        if constexpr (KIND == Kind::rate) {
#pragma unroll
            for (int c = 0; c < loads; ++c) {
                mix(held[c], load<L1, T>(place.at[c] + place.walked));
            }
            place.move(rows);
        } else if constexpr (KIND == Kind::copy || KIND == Kind::ahead_copy) {
            const uint32_t stage = KIND == Kind::copy ? 0 : trip % 2 * loads * pass;
#pragma unroll
            for (int c = 0; c < loads; ++c)
                copy<T>(from + threadIdx.x * width + stage + c * pass, place.at[c] + place.walked);
            place.move(rows);
            wait<KIND == Kind::copy ? 0 : 1>();
            __syncthreads();
            if constexpr (KIND == Kind::copy)
                __syncthreads();
        } else if constexpr (KIND == Kind::ahead) {
#pragma unroll
            for (int c = 0; c < loads; ++c)
                *reinterpret_cast<T*>(to + c * pass) = held[c];
#pragma unroll
            for (int c = 0; c < loads; ++c)
                held[c] = load<L1, T>(place.at[c] + place.walked);
            place.move(rows);
            __syncthreads();
        } else {
#pragma unroll
            for (int c = 0; c < loads; ++c)
                held[c] = load<L1, T>(place.at[c] + place.walked);
            place.move(rows);
#pragma unroll
            for (int c = 0; c < loads; ++c)
                *reinterpret_cast<T*>(to + c * pass) = held[c];
            __syncthreads();
            if constexpr (KIND == Kind::read || KIND == Kind::math) {
                uint32_t tiles[8][4];
#pragma unroll
                for (int i = 0; i < 8; ++i)
                    read_matrices(tiles[i], from + i % 4 * 512 + threadIdx.x % 32 * 16);
                if constexpr (KIND == Kind::math) {
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
            __syncthreads();
        }
    }
    __syncthreads();
    const uint32_t end = now();
    float all = 0;
    for (int i = 0; i < 32; ++i)
        all += sums[i][0] + sums[i][1] + sums[i][2] + sums[i][3];
    for (int c = 0; c < loads; ++c)
        all += __uint_as_float(word(held[c]));
    if (threadIdx.x == 0)
        out[blockIdx.x] = int(end - begin);
    if (all == 12345.0f)
        out[0] = 1;
}

#define KERNEL(NAME, KIND, L1, T)                                                                        \
    extern "C" __global__ void NAME(const char* data, int piece, int pitch, int step, int wrap, int region, \
                                    int trips, int* out) {                                                  \
        run<L1, Kind::KIND, T>(data, {piece, pitch, step, wrap, region}, trips, out);                       \
    }
KERNEL(rate_ca, rate, true, uint4)
KERNEL(rate_cg, rate, false, uint4)
KERNEL(tile_ca, tile, true, uint4)
KERNEL(tile_cg, tile, false, uint4)
KERNEL(read_ca, read, true, uint4)
KERNEL(math_ca, math, true, uint4)
KERNEL(ahead_ca, ahead, true, uint4)
KERNEL(ahead_cg, ahead, false, uint4)
KERNEL(copy_ca, copy, true, uint4)
KERNEL(ahead_copy_ca, ahead_copy, true, uint4)
KERNEL(rate4_ca, rate, true, unsigned)
KERNEL(tile4_ca, tile, true, unsigned)
KERNEL(ahead4_ca, ahead, true, unsigned)
KERNEL(copy4_ca, copy, true, unsigned)
KERNEL(ahead_copy4_ca, ahead_copy, true, unsigned)

#ifndef __CUDA_ARCH__
#define CHECK(call)                                                                         \
    do {                                                                                    \
        const cudaError_t e = (call);                                                       \
        if (e != cudaSuccess) {                                                             \
            std::fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(e)); \
            std::exit(1);                                                                   \
        }                                                                                   \
    } while (0)

using Kernel = void (*)(const char*, int, int, int, int, int, int, int*);
static Rows rows_of(int warps, int width, int piece, bool along) {
    const int rows = warps * 32 * width * loads / piece, length = std::max(4096, (1 << 20) / rows);
    if (along)
        return {piece, length + 128, piece, length, rows * (length + 128)};
    const int trips = std::max(8, (1 << 20) / (rows * piece));
    return {piece, 1152, rows * 1152, rows * 1152 * trips, rows * 1152 * trips};
}
using Kernel = void (*)(const char*, int, int, int, int, int, int, int*);
static double cycles(Kernel kernel, const char* data, int warps, int width, int blocks, const Rows& rows,
                     int* out) {
    const int shared = 2 * warps * 32 * width * loads;
    CHECK(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, shared));
    std::vector<double> times[2];
    for (int r = 0; r < 7; ++r)
        for (int part = 0; part < 2; ++part) {
            const int trips = part == 0 ? 128 : 384;
            kernel<<<blocks, warps * 32, shared>>>(data, rows.piece, rows.pitch, rows.step, rows.wrap,
                                                   rows.region, trips, out);
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
        int width;
    };
    const Loop loops[] = {{"rate", "ca", rate_ca, 16},   {"rate", "cg", rate_cg, 16},
                          {"tile", "ca", tile_ca, 16},   {"tile", "cg", tile_cg, 16},
                          {"read", "ca", read_ca, 16},   {"math", "ca", math_ca, 16},
                          {"ahead", "ca", ahead_ca, 16}, {"ahead", "cg", ahead_cg, 16},
                          {"copy", "ca", copy_ca, 16},   {"ahead_copy", "ca", ahead_copy_ca, 16},
                          {"rate4", "ca", rate4_ca, 4},  {"tile4", "ca", tile4_ca, 4},
                          {"ahead4", "ca", ahead4_ca, 4}, {"copy4", "ca", copy4_ca, 4},
                          {"ahead_copy4", "ca", ahead_copy4_ca, 4}};
    const std::size_t bytes = std::size_t(256) << 20;
    char* data;
    int* out;
    CHECK(cudaMalloc(&data, bytes));
    CHECK(cudaMemset(data, 0, bytes));
    CHECK(cudaMalloc(&out, 1024 * sizeof(int)));
    std::printf("kind,path,order,warps,blocks,piece,trips,cycles\n");
    for (const auto& loop : loops)
        for (bool along : {true, false})
            for (int warps : {4, 8, 16, 32})
                for (int blocks : {1, 132})
                    for (int piece : {512, 128, 64, 32}) {
                        const auto rows = rows_of(warps, loop.width, piece, along);
                        const bool fits = loop.kernel != math_ca || warps <= 8;
                        const bool asked = (along || blocks == 1) && piece <= 32 * loop.width &&
                                           (warps <= 16 || loop.width == 4);
                        if (std::size_t(rows.region) * 4 > bytes || !fits || !asked)
                            continue;
                        std::printf("%s,%s,%s,%d,%d,%d,256,%.2f\n", loop.kind, loop.path, along ? "along" : "down",
                                    warps, blocks, piece,
                                    cycles(loop.kernel, data, warps, loop.width, blocks, rows, out));
                    }
}
#endif
