// How long a block waits for a tile that lies in L2 or in device memory, by how many lines it asks for at
// once, how they lie and how many SMs ask for the same, in SM cycles. Rows:
// kind,where,lines,piece,blocks,share,warps,pitch,cycles (of one trip of a block, mean over the blocks).
//
//   nvcc -O3 -arch=sm_90 -o tile_waits tile_waits.cu; ./tile_waits > h100_sxm_tile_waits.csv
//   nvcc -O3 -arch=sm_90 -cubin tile_waits.cu     (what the simulator runs: sm_90.sass.gz, CUDA 13.0)
//
// gather  each trip asks for `lines` lines, anywhere in the region and never twice where that is device
// memory, one
//         lane each or, with piece = 64 or 128 and 16 bytes a lane, 4 or 8 lanes; a barrier waits for all of
//         them. `share` blocks in turn ask for the same. where: `l2` in a region of 8 MiB, `dram` in one of 8
//         GiB.
// walk    the global reads of a tiled product with 256 threads: block (x, y) walks along the K columns of its
// ROWS rows
//         of A and the K rows of its COLS columns of B, BK at a time, and waits for a tile before it asks for
//         the next. lines: ROWS, piece: COLS, warps: BK; pitch: words between rows; share: blocks that one
//         row of blocks has.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

__device__ __forceinline__ uint32_t now() {
    uint32_t t;
    asm volatile("mov.u32 %0, %%clock;" : "=r"(t)::"memory");
    return t;
}

// The n-th line of a region of mask + 1 lines: neighbours lie far apart, and none comes twice before all have
// come.
__device__ __forceinline__ uint64_t scattered(uint32_t n, uint32_t mask) {
    return uint64_t((n * 2654435761u) & mask) << 7;
}

template <int LOADS, class T>
__device__ __forceinline__ void gather(const char* data, uint32_t mask, int active, int lanes_of_line,
                                       int first_set, int trips, int* out) {
    const uint32_t thread = threadIdx.x, lines = blockDim.x / lanes_of_line;
    const uint32_t line = thread / lanes_of_line, byte = thread % lanes_of_line * uint32_t(sizeof(T));
    uint32_t n = uint32_t(first_set) * 1000003u + line;
    unsigned sum = 0;
    __syncthreads();
    const uint32_t begin = now();
#pragma unroll 1
    for (int trip = 0; trip < trips; ++trip) {
        if (int(thread) < active) {
            T v[LOADS];
#pragma unroll
            for (int i = 0; i < LOADS; ++i)
                v[i] = *reinterpret_cast<const T*>(data + scattered(n + i * lines, mask) + byte);
#pragma unroll
            for (int i = 0; i < LOADS; ++i) sum ^= *reinterpret_cast<const unsigned*>(&v[i]);
            if (sum == 12345) out[1023] = 1;
        }
        n += LOADS * lines;
        __syncthreads();
    }
    const uint32_t end = now();
    if (thread == 0) out[blockIdx.x] = int(end - begin);
}
#define GATHER(NAME, LOADS, T)                                                                          \
    extern "C" __global__ void NAME(const char* data, unsigned mask, int active, int lanes_of_line,     \
                                    int share, int set, int trips, int* out) {                          \
        gather<LOADS, T>(data, mask, active, lanes_of_line, set + int(blockIdx.x) / share, trips, out); \
    }
GATHER(gather_1, 1, unsigned)
GATHER(gather_2, 2, unsigned)
GATHER(gather_4, 4, unsigned)
GATHER(gather16_1, 1, uint4)
GATHER(gather16_4, 4, uint4)

template <int ROWS, int COLS, int BK>
__device__ __forceinline__ void walk(const float* a, const float* b, int pitch, int k_extent, int* cycles) {
    constexpr int threads = 256, a_vectors = ROWS * BK / 4 / threads, b_vectors = COLS * BK / 4 / threads;
    constexpr int a_rows = threads / (BK / 4), b_rows = threads / (COLS / 4);
    __shared__ float4 tile[(a_vectors + b_vectors) * threads];
    const int thread = int(threadIdx.x);
    const float* from_a = a + (blockIdx.y * ROWS + thread / (BK / 4)) * long(pitch) + thread % (BK / 4) * 4;
    const float* from_b = b + thread / (COLS / 4) * long(pitch) + blockIdx.x * COLS + thread % (COLS / 4) * 4;
    float sum = 0;
    __syncthreads();
    const uint32_t begin = now();
    for (int k = 0; k < k_extent; k += BK) {
        float4 v[a_vectors + b_vectors];
#pragma unroll
        for (int i = 0; i < a_vectors; ++i)
            v[i] = *reinterpret_cast<const float4*>(from_a + long(i * a_rows) * pitch);
#pragma unroll
        for (int i = 0; i < b_vectors; ++i)
            v[a_vectors + i] = *reinterpret_cast<const float4*>(from_b + long(i * b_rows) * pitch);
#pragma unroll
        for (int i = 0; i < a_vectors + b_vectors; ++i) tile[i * threads + thread] = v[i];
        __syncthreads();
        sum += tile[thread * 5 % threads].y;
        __syncthreads();
        from_a += BK;
        from_b += BK * long(pitch);
    }
    const uint32_t end = now();
    if (thread == 0) cycles[blockIdx.x + blockIdx.y * gridDim.x] = int(end - begin);
    if (sum == 1) cycles[1023] = 1;  // never: the data are zero
}
#define WALK(R, C, B)                                                                                 \
    extern "C" __global__ void walk_##R##_##C##_##B(const float* a, const float* b, int pitch, int k, \
                                                    int* cycles) {                                    \
        walk<R, C, B>(a, b, pitch, k, cycles);                                                        \
    }
WALK(256, 128, 16)
WALK(128, 256, 16)
WALK(128, 128, 16)
WALK(128, 128, 32)
WALK(64, 128, 32)
WALK(64, 64, 16)

#ifndef __CUDA_ARCH__
#define CHECK(call)                                                                         \
    do {                                                                                    \
        const cudaError_t e = (call);                                                       \
        if (e != cudaSuccess) {                                                             \
            std::fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(e)); \
            std::exit(1);                                                                   \
        }                                                                                   \
    } while (0)

static double mean(const int* out, int blocks) {
    CHECK(cudaGetLastError());
    CHECK(cudaDeviceSynchronize());
    std::vector<int> all(blocks);
    CHECK(cudaMemcpy(all.data(), out, blocks * sizeof(int), cudaMemcpyDeviceToHost));
    double sum = 0;
    for (int t : all) sum += t;
    return sum / blocks;
}
static double median(std::vector<double> v) {
    std::sort(v.begin(), v.end());
    return v[v.size() / 2];
}
using Gather = void (*)(const char*, unsigned, int, int, int, int, int, int*);
using Walk = void (*)(const float*, const float*, int, int, int*);

int main() {
    const std::size_t bytes = std::size_t(8) << 30;
    char* data;
    int* out;
    CHECK(cudaMalloc(&data, bytes));
    CHECK(cudaMemset(data, 0, bytes));
    CHECK(cudaMalloc(&out, 1024 * sizeof(int)));
    std::printf("kind,where,lines,piece,blocks,share,warps,pitch,cycles\n");
    struct Form {
        Gather kernel;
        int loads, width, lanes, threads, active;
    };
    std::vector<Form> forms;
    for (int active : {1, 2, 4, 8, 16, 32}) forms.push_back({gather_1, 1, 4, 1, 32, active});
    for (int threads : {64, 128, 256}) forms.push_back({gather_1, 1, 4, 1, threads, threads});
    forms.push_back({gather_2, 2, 4, 1, 256, 256});
    forms.push_back({gather_4, 4, 4, 1, 256, 256});
    for (int lanes : {4, 8})
        for (int threads : {32, 128, 256}) {
            forms.push_back({gather16_1, 1, 16, lanes, threads, threads});
            forms.push_back({gather16_4, 4, 16, lanes, threads, threads});
        }
    int set = 0;
    for (const auto& f : forms)
        for (int blocks : {1, 132})
            for (int share : {1, 4, 16, 132})
                for (bool dram : {false, true}) {
                    if (share > blocks) continue;
                    const int lines = f.loads * f.active / f.lanes;
                    const unsigned mask = dram ? (1U << 26) - 1 : (1U << 16) - 1;
                    const int short_trips = 64, long_trips = 192;
                    std::vector<double> t[2];
                    for (int r = 0; r < 9; ++r)
                        for (int part = 0; part < 2; ++part) {
                            f.kernel<<<blocks, f.threads>>>(data, mask, f.active, f.lanes, share,
                                                            dram ? set++ : 0,
                                                            part == 0 ? short_trips : long_trips, out);
                            t[part].push_back(mean(out, blocks));
                            set += 132;
                        }
                    std::printf("gather,%s,%d,%d,%d,%d,%d,0,%.2f\n", dram ? "dram" : "l2", lines,
                                f.width == 4 ? 4 : f.width * f.lanes, blocks, share, f.threads / 32,
                                (median(t[1]) - median(t[0])) / (long_trips - short_trips));
                }
    struct Walked {
        Walk kernel;
        int rows, cols, bk;
        dim3 grid;
    };
    const Walked walks[] = {
        {walk_256_128_16, 256, 128, 16, {16, 8}},  {walk_128_256_16, 128, 256, 16, {8, 16}},
        {walk_128_128_16, 128, 128, 16, {8, 16}},  {walk_128_128_16, 128, 128, 16, {16, 8}},
        {walk_128_128_16, 128, 128, 16, {16, 16}}, {walk_128_128_32, 128, 128, 32, {16, 8}},
        {walk_64_128_32, 64, 128, 32, {16, 8}},    {walk_64_64_16, 64, 64, 16, {16, 8}},
        {walk_64_64_16, 64, 64, 16, {32, 16}},     {walk_256_128_16, 256, 128, 16, {1, 1}},
        {walk_64_64_16, 64, 64, 16, {1, 1}},       {walk_128_128_32, 128, 128, 32, {1, 1}}};
    for (const auto& w : walks)
        for (int pitch : {4096, 4128, 8192, 16384})
            for (int k : {1024, 4096}) {
                const auto* a = reinterpret_cast<const float*>(data);
                const auto* b = reinterpret_cast<const float*>(data + bytes / 2);
                const int blocks = int(w.grid.x * w.grid.y);
                if (k == 1024) {  // stays in L2
                    std::vector<double> t;
                    for (int r = 0; r < 9; ++r) {
                        w.kernel<<<w.grid, 256>>>(a, b, pitch, k, out);
                        t.push_back(mean(out, blocks));
                    }
                    t.erase(t.begin());
                    std::printf("walk,l2,%d,%d,%d,%d,%d,%d,%.2f\n", w.rows, w.cols, blocks, int(w.grid.x),
                                w.bk, pitch, median(t) * w.bk / k);
                    continue;
                }
                std::vector<double> t;  // each launch has data of its own: nothing of them is in L2
                const std::size_t part = std::size_t(256) << 20;
                for (int r = 0; r < 9; ++r) {
                    w.kernel<<<w.grid, 256>>>(a + part / 4 * (r % 8), b + part / 4 * (r % 8), pitch, k, out);
                    t.push_back(mean(out, blocks));
                }
                t.erase(t.begin());
                std::printf("walk,dram,%d,%d,%d,%d,%d,%d,%.2f\n", w.rows, w.cols, blocks, int(w.grid.x), w.bk,
                            pitch, median(t) * w.bk / k);
            }
}
#endif
