// What tensor copies, bulk copies, their barriers and a step of warp-group products cost on one SM (Hopper),
// in SM cycles. Rows: kind,name,blocks,depth,bytes,trips,cycles (of one trip; `first` and `later` where the
// first trip is apart).
//
//   nvcc -O3 -arch=sm_90a -o copy_costs copy_costs.cu -lcuda; ./copy_costs > h200_sxm_copies.csv
//   nvcc -arch=sm_90a -cubin copy_costs.cu       (what the simulator runs: copy_costs.sass.gz, CUDA 13.0)
//
// ring: one thread keeps `depth` stages under way, a stage is 1, 2 or 4 copies on one barrier.
// latency: before the issue of 1, 2, 4 or 8 copies to after it, and to after the wait for all of them;
// map_I_use_J: the J-th use of the I-th of eight maps in a launch.
// barrier: arrivals, waits on a phase that is over, both in turn, reads of the clock, __syncthreads.
// step: eight products of 64x128x16 and the wait for them, then with more and more of what a step of a matrix
// product has around them.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

struct alignas(128) TensorMap {  // CUtensorMap of cuda.h
    uint64_t opaque[16];
};
struct Maps {
    TensorMap of[8];
};
__device__ uint32_t shared_address(const void* p) {
    return static_cast<uint32_t>(__cvta_generic_to_shared(p));
}
__device__ uint32_t now() {
    uint32_t t;
    asm volatile("mov.u32 %0, %%clock;" : "=r"(t)::"memory");
    return t;
}
__device__ void init(uint32_t barrier, int count = 1) {
    asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(barrier), "r"(count) : "memory");
}
__device__ void expect(uint32_t barrier, uint32_t bytes) {
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(barrier), "r"(bytes)
                 : "memory");
}
__device__ void arrive(uint32_t barrier) {
    asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(barrier) : "memory");
}
__device__ void wait(uint32_t barrier, uint32_t parity) {
    asm volatile(
        "{.reg .pred p; L: mbarrier.try_wait.parity.shared::cta.b64 p, [%0], %1; @p bra D; bra L; D: }" ::"r"(
            barrier),
        "r"(parity)
        : "memory");
}
__device__ void copy(uint32_t to, const TensorMap* map, int row, uint32_t barrier) {
    asm volatile(
        "cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1, {%2, %3}], "
        "[%4];" ::"r"(to),
        "l"(map), "r"(0), "r"(row), "r"(barrier)
        : "memory");
}
__device__ void visible() {
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
}
extern __shared__ __align__(1024) char space[];

// ---- rings ----
template <class Copy>
__device__ void ring(int trips, int depth, uint32_t stage_bytes, int* out, const Copy& copies) {
    __shared__ __align__(8) uint64_t barriers[8];
    const uint32_t first = shared_address(barriers), base = shared_address(space);
    if (threadIdx.x == 0) {
        for (int i = 0; i < depth; ++i)
            init(first + 8 * i);
        visible();
        const auto fill = [&](int trip, int stage) {
            expect(first + 8 * stage, stage_bytes);
            copies(trip, base + stage * stage_bytes, first + 8 * stage);
        };
        for (int i = 0; i < depth && i < trips; ++i)
            fill(i, i);
        uint32_t parity = 0, begin = now();
        for (int i = 0, stage = 0; i < trips; ++i) {
            wait(first + 8 * stage, parity);
            if (i + depth < trips)
                fill(i + depth, stage);
            if (++stage == depth) {
                stage = 0;
                parity ^= 1;
            }
        }
        out[blockIdx.x] = static_cast<int>(now() - begin);
    }
}
template <int per>
__device__ void bulk_ring(const char* from, int trips, int depth, int bytes, int mask, int* out) {
    ring(trips, depth, per * bytes, out, [&](int trip, uint32_t to, uint32_t barrier) {
        const char* at = from + ((static_cast<int>(blockIdx.x * trips) + trip) * per * bytes & mask);
#pragma unroll
        for (int i = 0; i < per; ++i)
            asm volatile(
                "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::
                    "r"(to + i * bytes),
                "l"(at + i * bytes), "r"(bytes), "r"(barrier)
                : "memory");
    });
}
template <int per>
__device__ void tile_ring(const TensorMap& map, int trips, int depth, int rows, int mask, int* out) {
    ring(trips, depth, per * rows * 128, out, [&](int trip, uint32_t to, uint32_t barrier) {
        const int at = (static_cast<int>(blockIdx.x * trips) + trip) * per * rows & mask;
#pragma unroll
        for (int i = 0; i < per; ++i)
            copy(to + i * rows * 128, &map, at + i * rows, barrier);
    });
}
#define RINGS(per)                                                                                     \
    extern "C" __global__ void bulk_##per(const char* from, int trips, int depth, int bytes, int mask, \
                                          int* out) {                                                  \
        bulk_ring<per>(from, trips, depth, bytes, mask, out);                                          \
    }                                                                                                  \
    extern "C" __global__ void tile_##per(const __grid_constant__ TensorMap map, int trips, int depth, \
                                          int rows, int mask, int* out) {                              \
        tile_ring<per>(map, trips, depth, rows, mask, out);                                            \
    }
RINGS(1)
RINGS(2)
RINGS(4)

// ---- latency of single copies: out[2 i] until the last is issued, out[2 i + 1] until all have come ----
template <int per>
__device__ void latency(const TensorMap* map, int trips, int rows, int mask, int from, int* out, int maps) {
    __shared__ __align__(8) uint64_t barrier_word;
    __shared__ int times[256];
    if (threadIdx.x != 0)
        return;
    const uint32_t barrier = shared_address(&barrier_word), base = shared_address(space);
    init(barrier);
    visible();
    for (int i = 0; i < trips; ++i) {
        expect(barrier, per * rows * 128);
        const int at = from + (i * per * rows & mask);
        const TensorMap* used = map + (maps > 1 ? i / 2 % maps : 0);
        const uint32_t begin = now();
#pragma unroll
        for (int c = 0; c < per; ++c)
            copy(base + c * rows * 128, used, at + c * rows, barrier);
        const uint32_t issued = now();
        wait(barrier, i & 1);
        const uint32_t end = now();
        times[2 * i] = static_cast<int>(issued - begin);
        times[2 * i + 1] = static_cast<int>(end - begin);
    }
    for (int i = 0; i < 2 * trips; ++i)
        out[i] = times[i];
}
#define LATENCY(per)                                                                                     \
    extern "C" __global__ void latency_##per(const __grid_constant__ TensorMap map, int trips, int rows, \
                                             int mask, int from, int* out) {                             \
        latency<per>(&map, trips, rows, mask, from, out, 1);                                             \
    }
LATENCY(1)
LATENCY(2)
LATENCY(4)
LATENCY(8)
extern "C" __global__ void first_use(const __grid_constant__ Maps maps, int rows, int* out) {
    latency<1>(maps.of, 16, rows, 0, 0, out, 8);
}

// ---- barriers alone ----
extern "C" __global__ void arrivals(int trips, int* out) {
    __shared__ __align__(8) uint64_t word;
    const uint32_t barrier = shared_address(&word);
    if (threadIdx.x != 0)
        return;
    init(barrier, 1000000);
    const uint32_t begin = now();
#pragma unroll 1
    for (int i = 0; i < trips; ++i)
        arrive(barrier);
    out[0] = static_cast<int>(now() - begin);
}
extern "C" __global__ void waits(int trips, int* out) {
    __shared__ __align__(8) uint64_t word;
    const uint32_t barrier = shared_address(&word);
    if (threadIdx.x != 0)
        return;
    init(barrier);
    const uint32_t begin = now();
#pragma unroll 1
    for (int i = 0; i < trips; ++i)
        wait(barrier, 1);
    out[0] = static_cast<int>(now() - begin);
}
extern "C" __global__ void turns(int trips, int* out) {
    __shared__ __align__(8) uint64_t word;
    const uint32_t barrier = shared_address(&word);
    if (threadIdx.x != 0)
        return;
    init(barrier);
    const uint32_t begin = now();
#pragma unroll 1
    for (int i = 0; i < trips; ++i) {
        arrive(barrier);
        wait(barrier, i & 1);
    }
    out[0] = static_cast<int>(now() - begin);
}
extern "C" __global__ void clocks(int trips, int* out) {
    const uint32_t begin = now();
    uint32_t sum = 0;
#pragma unroll 1
    for (int i = 0; i < trips; ++i)
        sum += now();
    out[1] = static_cast<int>(sum);
    out[0] = static_cast<int>(now() - begin);
}
extern "C" __global__ void syncs(int trips, int* out) {
    const uint32_t begin = now();
#pragma unroll 1
    for (int i = 0; i < trips; ++i)
        __syncthreads();
    if (threadIdx.x == 0)
        out[0] = static_cast<int>(now() - begin);
}

// ---- steps of products ----
__device__ uint64_t descriptor(uint32_t address) {
    return (address & 0x3ffff) >> 4 | uint64_t(1) << 16 | uint64_t(64) << 32 | uint64_t(1) << 62;
}
#define C4(x) "+f"(d[x]), "+f"(d[x + 1]), "+f"(d[x + 2]), "+f"(d[x + 3])
#define C16(x) C4(x), C4(x + 4), C4(x + 8), C4(x + 12)
__device__ void multiply(float (&d)[64], uint64_t a, uint64_t b) {
    asm volatile(
        "wgmma.mma_async.sync.aligned.m64n128k16.f32.f16.f16 "
        "{%0,%1,%2,%3,%4,%5,%6,%7,%8,%9,%10,%11,%12,%13,%14,%15,%16,"
        "%17,%18,%19,%20,%21,%22,%23,%24,%25,%26,%27,%28,%29,%30,%31,%32,%33,%34,%35,%36,%37,%38,%39,%40,%41,"
        "%42,%43,%44,"
        "%45,%46,%47,%48,%49,%50,%51,%52,%53,%54,%55,%56,%57,%58,%59,%60,%61,%62,%63}, %64, %65, 1, 1, 1, 0, "
        "0;"
        : C16(0), C16(16), C16(32), C16(48)
        : "l"(a), "l"(b));
}
enum Around { nothing = 0, sync = 1, poll = 2, arrival = 4, copies = 8 };
template <int around>
__device__ void step(const TensorMap* map, int trips, int rows, int* out) {
    __shared__ __align__(8) uint64_t barriers[4];
    const uint32_t first = shared_address(barriers), base = shared_address(space);
    const auto load = [&](int t) {
        const uint32_t barrier = first + 8 * (t % 4), to = base + t % 4 * 32768;
        expect(barrier, 2 * rows * 128);
        copy(to, map, 0, barrier);
        copy(to + 16384, map, rows, barrier);
    };
    if (threadIdx.x == 0) {
        for (int i = 0; i < 4; ++i)
            init(first + 8 * i, around & copies || !(around & arrival) ? 1 : 1000000);
        visible();
    }
    __syncthreads();
    if (around & copies && threadIdx.x == 0)
        for (int i = 0; i < 4 && i < trips; ++i)
            load(i);
    float upper[64] = {}, lower[64] = {};
    const uint32_t begin = now();
#pragma unroll 1
    for (int t = 0; t < trips; ++t) {
        if (around & copies)
            wait(first + 8 * (t % 4), t / 4 & 1);
        else if (around & poll)
            wait(first + 8 * (t % 4), 1);
        const uint32_t a = base + t % 4 * 32768, b = a + 16384;
        asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
#pragma unroll
        for (int i = 0; i < 4; ++i) {
            multiply(upper, descriptor(a) + 2 * i, descriptor(b) + 2 * i);
            multiply(lower, descriptor(a + 8192) + 2 * i, descriptor(b) + 2 * i);
        }
        asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
        asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
        if (around & sync)
            __syncthreads();
        if (around & copies) {
            if (threadIdx.x == 0 && t + 4 < trips)
                load(t + 4);
        } else if (around & arrival && threadIdx.x == 0) {
            arrive(first + 8 * (t % 4));
        }
    }
    const uint32_t end = now();
    float sum = 0;
    for (int i = 0; i < 64; ++i)
        sum += upper[i] + lower[i];
    out[1 + threadIdx.x] = static_cast<int>(sum);
    if (threadIdx.x == 0)
        out[0] = static_cast<int>(end - begin);
}
#define STEP(name, around)                                                                  \
    extern "C" __global__ void __launch_bounds__(128)                                       \
        step_##name(const __grid_constant__ TensorMap map, int trips, int rows, int* out) { \
        step<(around)>(&map, trips, rows, out);                                             \
    }
STEP(products, nothing)
STEP(sync, sync)
STEP(poll, sync | poll)
STEP(arrival, sync | poll | arrival)
STEP(copies, sync | poll | arrival | copies)

#ifndef __CUDA_ARCH__
#include <cuda.h>
#include <cuda_runtime.h>

#define CHECK(x)                                                                      \
    do {                                                                              \
        const cudaError_t e = (x);                                                    \
        if (e != cudaSuccess) {                                                       \
            std::fprintf(stderr, "%d %s: %s\n", __LINE__, #x, cudaGetErrorString(e)); \
            std::exit(1);                                                             \
        }                                                                             \
    } while (0)

static TensorMap map_of(void* p, uint64_t rows, int box_rows) {
    using Encode =
        CUresult (*)(CUtensorMap*, CUtensorMapDataType, cuuint32_t, void*, const cuuint64_t*,
                     const cuuint64_t*, const cuuint32_t*, const cuuint32_t*, CUtensorMapInterleave,
                     CUtensorMapSwizzle, CUtensorMapL2promotion, CUtensorMapFloatOOBfill);
    void* f = nullptr;
    cudaDriverEntryPointQueryResult found;
    CHECK(cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled", &f, 12000, cudaEnableDefault, &found));
    CUtensorMap map;
    const cuuint64_t dims[2] = {64, rows}, strides[1] = {128};
    const cuuint32_t box[2] = {64, static_cast<cuuint32_t>(box_rows)}, ones[2] = {1, 1};
    const auto r = reinterpret_cast<Encode>(f)(
        &map, CU_TENSOR_MAP_DATA_TYPE_FLOAT16, 2, p, dims, strides, box, ones, CU_TENSOR_MAP_INTERLEAVE_NONE,
        CU_TENSOR_MAP_SWIZZLE_128B, CU_TENSOR_MAP_L2_PROMOTION_NONE, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
    if (r != CUDA_SUCCESS) {
        std::fprintf(stderr, "encode %d\n", r);
        std::exit(1);
    }
    TensorMap out;
    __builtin_memcpy(&out, &map, sizeof out);
    return out;
}
static int* out_of() {
    static int* out = nullptr;
    if (out == nullptr)
        CHECK(cudaMallocManaged(&out, 65536));
    return out;
}
static void launch(const void* kernel, int blocks, int threads, std::vector<void*> arguments, int shared) {
    CHECK(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, 200 * 1024));
    CHECK(cudaLaunchKernel(kernel, dim3(blocks), dim3(threads), arguments.data(), shared, nullptr));
    CHECK(cudaDeviceSynchronize());
}
static double median(std::vector<double> v) {
    std::sort(v.begin(), v.end());
    return v[v.size() / 2];
}
static double mean_out(int blocks) {
    double sum = 0;
    for (int i = 0; i < blocks; ++i)
        sum += out_of()[i];
    return sum / blocks;
}
constexpr int hot_rows = 8192;  // 1 MiB

static void rings(char* hot) {
    const void* bulk[] = {(const void*)bulk_1, (const void*)bulk_2, (const void*)bulk_4};
    const void* tile[] = {(const void*)tile_1, (const void*)tile_2, (const void*)tile_4};
    int* out = out_of();
    for (int blocks : {1, 132})
        for (int kind = 0; kind < 2; ++kind)
            for (int rows : {8, 16, 32, 64, 128, 256})
                for (int p = 0; p < 3; ++p)
                    for (int depth : {1, 2, 3, 4, 8}) {
                        const int per = 1 << p, bytes = rows * 128, stage = per * bytes;
                        if (stage * depth > 190 * 1024)
                            continue;
                        TensorMap map = map_of(hot, hot_rows, rows);
                        std::vector<double> times[2];
                        for (int r = 0; r < 5; ++r)
                            for (int part = 0; part < 2; ++part) {
                                int trips = part == 0 ? 64 : 320,
                                    mask = kind == 0 ? hot_rows * 128 - 1 : hot_rows - 1,
                                    size = kind == 0 ? bytes : rows;
                                if (kind == 0)
                                    launch(bulk[p], blocks, 32, {&hot, &trips, &depth, &size, &mask, &out},
                                           stage * depth);
                                else
                                    launch(tile[p], blocks, 32, {&map, &trips, &depth, &size, &mask, &out},
                                           stage * depth);
                                times[part].push_back(mean_out(blocks));
                            }
                        std::printf("ring,%s_%d,%d,%d,%d,256,%.2f\n", kind == 0 ? "bulk" : "tile", per,
                                    blocks, depth, bytes, (median(times[1]) - median(times[0])) / 256);
                    }
}
static void latencies(char* hot, char* cold) {
    const void* kernels[] = {(const void*)latency_1, (const void*)latency_2, (const void*)latency_4,
                             (const void*)latency_8};
    int* out = out_of();
    int next = 0;  // row of `cold` that nobody has read
    for (int where = 0; where < 2; ++where)
        for (int p = 0; p < 4; ++p)
            for (int rows : {8, 64, 128}) {
                const int per = 1 << p;
                if (per * rows > 1400)
                    continue;
                TensorMap map = map_of(where == 0 ? hot : cold, where == 0 ? hot_rows : 1 << 23, rows);
                int trips = 64, mask = where == 0 ? hot_rows - 1 : -1, from = 0, size = rows;
                std::vector<double> first[2], later[2];
                for (int r = 0; r < 9; ++r) {
                    if (where == 1) {
                        from = next;
                        next += trips * per * rows;
                    }
                    launch(kernels[p], 1, 32, {&map, &trips, &size, &mask, &from, &out}, per * rows * 128);
                    for (int part = 0; part < 2; ++part) {
                        first[part].push_back(out[part]);
                        std::vector<double> rest;
                        for (int i = 8; i < trips; ++i)
                            rest.push_back(out[2 * i + part]);
                        later[part].push_back(median(rest));
                    }
                }
                const char* place = where == 0 ? "L2" : "DRAM";
                for (int part = 0; part < 2; ++part) {
                    const char* what = part == 0 ? "issue" : "come";
                    std::printf("latency,%s_%s_%d_first,1,1,%d,1,%.1f\n", what, place, per, rows * 128,
                                median(first[part]));
                    std::printf("latency,%s_%s_%d_later,1,1,%d,1,%.1f\n", what, place, per, rows * 128,
                                median(later[part]));
                }
            }
    for (int launches = 0; launches < 3; ++launches) {
        Maps maps;
        for (int i = 0; i < 8; ++i)
            maps.of[i] = map_of(hot, hot_rows - i, 64);
        int rows = 64;
        launch((const void*)first_use, 1, 32, {&maps, &rows, &out}, rows * 128);
        for (int i = 0; i < 16; ++i)
            std::printf("latency,map_%d_use_%d_launch_%d,1,1,%d,1,%d\n", i / 2, i % 2, launches, rows * 128,
                        out[2 * i + 1]);
    }
}
static void loops(char* hot) {
    int* out = out_of();
    struct Loop {
        const char* kind;
        const char* name;
        const void* kernel;
        int threads, rows;
    };
    const Loop all[] = {{"barrier", "arrivals", (const void*)arrivals, 32, 0},
                        {"barrier", "waits", (const void*)waits, 32, 0},
                        {"barrier", "turns", (const void*)turns, 32, 0},
                        {"barrier", "clocks", (const void*)clocks, 32, 0},
                        {"barrier", "syncs", (const void*)syncs, 128, 0},
                        {"step", "step_products", (const void*)step_products, 128, 64},
                        {"step", "step_sync", (const void*)step_sync, 128, 64},
                        {"step", "step_poll", (const void*)step_poll, 128, 64},
                        {"step", "step_arrival", (const void*)step_arrival, 128, 64},
                        {"step", "step_copies", (const void*)step_copies, 128, 8},
                        {"step", "step_copies", (const void*)step_copies, 128, 32},
                        {"step", "step_copies", (const void*)step_copies, 128, 64}};
    for (const auto& loop : all)
        for (int blocks : {1, 132}) {
            if (blocks > 1 && loop.rows == 0)
                continue;
            TensorMap map = map_of(hot, hot_rows, std::max(8, loop.rows));
            std::vector<double> times[2];
            for (int r = 0; r < 7; ++r)
                for (int part = 0; part < 2; ++part) {
                    int trips = part == 0 ? 64 : 576, rows = loop.rows;
                    if (rows == 0)
                        launch(loop.kernel, blocks, loop.threads, {&trips, &out}, 0);
                    else
                        launch(loop.kernel, blocks, loop.threads, {&map, &trips, &rows, &out}, 4 * 32768);
                    times[part].push_back(out[0]);
                }
            std::printf("%s,%s,%d,4,%d,512,%.2f\n", loop.kind, loop.name, blocks, loop.rows * 128,
                        (median(times[1]) - median(times[0])) / 512);
        }
}
int main() {
    char *hot, *cold;
    CHECK(cudaMalloc(&hot, 1 << 20));
    CHECK(cudaMalloc(&cold, 1ull << 30));
    CHECK(cudaMemset(cold, 0, 1ull << 30));
    CHECK(cudaMemset(hot, 0, 1 << 20));
    CHECK(cudaDeviceSynchronize());
    std::printf("kind,name,blocks,depth,bytes,trips,cycles\n");
    loops(hot);
    latencies(hot, cold);
    rings(hot);
    std::fflush(stdout);
}
#endif
