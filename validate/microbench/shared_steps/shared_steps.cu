// What 16-byte shared loads take when their lanes share words, alone and between the products of a warp
// tile's step.
//
//   nvcc -std=c++17 -O3 -arch=sm_90 -I validate/kernels -o shared_steps
//   validate/microbench/shared_steps/shared_steps.cu shared_steps > validate/data/h200_sxm_shared_steps.csv
//   one row per launch; seconds
//
// `loads`: 16 loads in a row and a sum of what they bring, `partitions` sub-partitions of one SM with `warps`
// warps each.
//   one       every lane the same 16 bytes                    pairs     lanes 2i and 2i + 1 the same 16 of
//   256 bytes rows      lanes 4i to 4i + 3 the same 16 of 128 bytes     apart     every lane its own 16 of
//   512 bytes columns   lanes i, i + 4, i + 8 ... the same 16 of 64     tile      one of columns, four of
//   rows
// `steps`: the k loop of a warp tile (../../kernels/warp_tile.cuh) whose tiles stay in shared memory, with or
// without a barrier behind each tile; `warps` per scheduler in blocks of two per scheduler. `cycles`: of the
// SM, for one round of loads or one step of k by all warps. `apart_pct`: between the first and the last
// warp's end.
//
// Nothing rests on it yet (docs/h200_microbenchmarks.md): two warps of one sub-partition interleave their
// wavefronts, which the simulator sends every other cycle for the sub-partition, not for the warp.
#include <cuda_runtime.h>

#include "../standalone.cuh"
#include "warp_tile.cuh"

namespace {

using namespace gpumodel::kernels;

struct Mark {
    unsigned sm;
    long long begin, end;
};

enum class Lanes { one, pairs, rows, columns, apart, tile };

__device__ int piece_of(Lanes lanes, int lane, int load) {
    switch (lanes) {
        case Lanes::one:
            return 0;
        case Lanes::pairs:
            return lane / 2;
        case Lanes::rows:
            return lane / 4;
        case Lanes::columns:
            return lane % 4;
        case Lanes::apart:
            return lane;
        case Lanes::tile:
            return load % 5 == 0 ? lane % 4 : lane / 4;
    }
    return 0;
}

// Only warps of the first `partitions` sub-partitions work.
template <Lanes lanes>
__global__ void __launch_bounds__(512) loads(float* out, Mark* marks, int rounds, int partitions) {
    __shared__ float4 room[1024];
    for (int i = threadIdx.x; i < 1024; i += blockDim.x)
        room[i] = make_float4(i, i, i, i);
    __syncthreads();
    if (int(threadIdx.x / 32 % 4) >= partitions)
        return;
    float sum = 0;
    const auto at = unsigned(__cvta_generic_to_shared(room));
    const int lane = threadIdx.x % 32;
    const long long begin = clock64();
#pragma unroll 1
    for (int r = 0; r < rounds; ++r) {
        float4 q[16];
#pragma unroll
        for (int i = 0; i < 16; ++i) {
            asm volatile("ld.volatile.shared.v4.f32 {%0, %1, %2, %3}, [%4];"
                         : "=f"(q[i].x), "=f"(q[i].y), "=f"(q[i].z), "=f"(q[i].w)
                         : "r"(at + 16U * (i * 32 + piece_of(lanes, lane, i))));
        }
#pragma unroll
        for (auto& v : q)
            sum += v.x;
    }
    const long long end = clock64();
    out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
    if (lane == 0)
        marks[(blockIdx.x * blockDim.x + threadIdx.x) / 32] = {sm_number(), begin, end};
}

template <class T, bool barrier>
__global__ void __launch_bounds__(T::THREADS) steps(float* out, Mark* marks, int rounds, int) {
    extern __shared__ float room[];
    float* As = room;
    float* Bs = room + T::BM * T::BK;
    for (int i = threadIdx.x; i < (T::BM + T::BN) * T::BK; i += blockDim.x)
        room[i] = i;
    __syncthreads();
    const unsigned warp_col = threadIdx.x / 32 % (T::BN / T::WN);
    const unsigned warp_row = threadIdx.x / 32 / (T::BN / T::WN);
    const unsigned lane_col = threadIdx.x % 32 % (T::WSUBN / T::TN);
    const unsigned lane_row = threadIdx.x % 32 / (T::WSUBN / T::TN);
    float acc[T::R * T::S] = {0.0f};
    float a[T::R] = {0.0f};
    float b[T::S] = {0.0f};
    const long long begin = clock64();
#pragma unroll 1
    for (int r = 0; r < rounds; ++r) {
        multiply_tile<T>(As, Bs, a, b, acc, warp_row, warp_col, lane_row, lane_col);
        if (barrier)
            __syncthreads();
        else
            asm volatile("" ::: "memory");
    }
    const long long end = clock64();
    float sum = 0;
    for (float v : acc)
        sum += v;
    out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
    if (threadIdx.x % 32 == 0)
        marks[(blockIdx.x * blockDim.x + threadIdx.x) / 32] = {sm_number(), begin, end};
}

using Kernel = void (*)(float*, Mark*, int, int);

struct Device {
    int sms;
    float* out;
    Mark* marks;
};

// The SM's cycles from the first begin to the last end: the median of all SMs.
void measure(const Device& device, const char* kind, const char* name, Kernel kernel, int blocks, int threads,
             int shared, int rounds, double per_round, int partitions) {
    if (shared > 48 * 1024)
        check(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, shared));
    int resident = 0;
    check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&resident, kernel, threads, shared));
    if (resident < blocks)
        return;
    const int all = device.sms * blocks, warps = threads / 32;
    check(cudaMemset(device.marks, 0, all * warps * sizeof(Mark)));
    for (int launch = 0; launch < 2; ++launch) {
        kernel<<<all, threads, shared>>>(device.out, device.marks, rounds, partitions);
        check(cudaDeviceSynchronize());
    }
    std::vector<Mark> got(all * warps);
    check(cudaMemcpy(got.data(), device.marks, got.size() * sizeof(Mark), cudaMemcpyDeviceToHost));
    std::vector<double> spans, aparts;
    for (int sm = 0; sm < device.sms; ++sm) {
        long long begin = 0, first = 0, last = 0;
        int count = 0;
        for (const auto& m : got) {
            if (m.end == 0 || int(m.sm) != sm)
                continue;
            begin = count == 0 ? m.begin : std::min(begin, m.begin);
            first = count == 0 ? m.end : std::min(first, m.end);
            last = std::max(last, m.end);
            ++count;
        }
        if (count != blocks * warps * partitions / 4)
            continue;
        spans.push_back(double(last - begin));
        aparts.push_back(100.0 * (last - first) / (last - begin));
    }
    if (spans.empty())
        return;
    std::sort(spans.begin(), spans.end());
    std::sort(aparts.begin(), aparts.end());
    std::printf("%s,%s,%d,%d,%d,%d,%.2f,%.1f\n", kind, name, partitions, blocks * warps / 4, blocks, rounds,
                spans[spans.size() / 2] / per_round, aparts[aparts.size() / 2]);
}

template <class T>
void measure_tile(const Device& device, const char* name) {
    const int tile_bytes = (T::BM + T::BN) * T::BK * 4, most = 227 * 1024;
    for (int blocks = 1; blocks <= 3; ++blocks) {
        const int shared =
            std::max(tile_bytes, most / (blocks + 1) / 1024 * 1024);  // no more blocks than that
        const int rounds = 256 / T::BK * 8;
        measure(device, "steps", name, steps<T, false>, blocks, T::THREADS, shared, rounds,
                double(rounds) * T::BK, 4);
        measure(device, "steps_barrier", name, steps<T, true>, blocks, T::THREADS, shared, rounds,
                double(rounds) * T::BK, 4);
    }
}

}  // namespace

int main() {
    cudaDeviceProp properties;
    check(cudaGetDeviceProperties(&properties, 0));
    Device device{properties.multiProcessorCount, nullptr, nullptr};
    check(cudaMalloc(&device.out, size_t(device.sms) * 2048 * sizeof(float)));
    check(cudaMalloc(&device.marks, size_t(device.sms) * 64 * sizeof(Mark)));
    std::printf("# gpu: %s\nkind,name,partitions,warps,blocks,rounds,cycles,apart_pct\n", properties.name);
    const struct {
        const char* name;
        Kernel kernel;
    } patterns[] = {{"one", loads<Lanes::one>},     {"pairs", loads<Lanes::pairs>},
                    {"rows", loads<Lanes::rows>},   {"columns", loads<Lanes::columns>},
                    {"apart", loads<Lanes::apart>}, {"tile", loads<Lanes::tile>}};
    for (const auto& p : patterns) {
        for (int partitions : {1, 2, 3, 4}) {
            for (int warps : {1, 2, 4})
                measure(device, "loads", p.name, p.kernel, 1, 128 * warps, 0, 400, 400, partitions);
        }
    }
#define N(...) measure_tile<WarpTile<__VA_ARGS__>>(device, names[n++])
    const char* names[] = {"128x128x16 128x16 4x4", "128x128x16 16x128 4x4", "128x128x32 64x32 8x4",
                           "64x256x32 64x32 4x8",   "128x128x16 128x16 8x8", "128x128x16 32x64/4 4x4",
                           "256x64x16 64x32/2 4x4", "128x64x16 32x32 4x4",   "64x64x16 16x32 4x4",
                           "128x128x16 64x32 4x4"};
    int n = 0;
    N(128, 128, 16, 128, 16, 1, 4, 4, 256, 0);
    N(128, 128, 16, 16, 128, 1, 4, 4, 256, 0);
    N(128, 128, 32, 64, 32, 1, 8, 4, 256, 0);
    N(64, 256, 32, 64, 32, 1, 4, 8, 256, 0);
    N(128, 128, 16, 128, 16, 1, 8, 8, 256, 0);
    N(128, 128, 16, 32, 64, 4, 4, 4, 256, 0);
    N(256, 64, 16, 64, 32, 2, 4, 4, 256, 0);
    N(128, 64, 16, 32, 32, 1, 4, 4, 256, 0);
    N(64, 64, 16, 16, 32, 1, 4, 4, 256, 0);
    N(128, 128, 16, 64, 32, 1, 4, 4, 256, 0);
}
