// What branches cost that are no loop's: parts that are skipped or not, by all lanes or some; calls; loops of some lanes.
//
//   nvcc -std=c++17 -O3 -arch=sm_90 -o control_flow validate/microbench/control_flow/control_flow.cu
//   control_flow > validate/data/h200_sxm_control_flow.csv      median of five launches; a second
//
// kind,flags,warps,cycles
//   One block of `warps` warps on each SM goes 64 times through eight parts of 14 FFMAs each. Part j runs where bit j of the
//   flags is set. kind: uniform (flags are a parameter: plain branches), lanes (flags are a lane's own, from memory), sides
//   (the same with 14 FFMAs on the other side), call (a function of 14 FFMAs is called), walk (lanes go round a loop of four
//   FFMAs as often as the low bits of their flags say). flags: those of all lanes, or of even and odd ones (a:b).
//   cycles: of the SM's clock, first warp's begin to last one's end, the median SM, for each of the 64 times.
#include <cuda_runtime.h>

#include <algorithm>
#include <cstdio>
#include <vector>

#include "../standalone.cuh"

namespace {

constexpr int times = 64, parts = 8, products = 14;

struct Mark {
    unsigned sm;
    long long begin, end;
};

__device__ void multiply(float* sums, float x) {
#pragma unroll
    for (int i = 0; i < products; ++i) asm volatile("fma.rn.f32 %0, %0, %1, %1;" : "+f"(sums[i % 4]) : "f"(x));
}

__device__ __noinline__ float called(float a, float b, float c, float d, float x) {
    float sums[4] = {a, b, c, d};
    multiply(sums, x);
    return sums[0] + sums[1] + sums[2] + sums[3];
}

enum Kind { uniform, lanes, sides, call, walk };

template <Kind kind>
__global__ void flow(Mark* marks, float* out, const int* flags_of_lanes, int flags, float x) {
    const int mine = flags_of_lanes[threadIdx.x % 32];
    float sums[4] = {x, x, x, x}, others[4] = {x, x, x, x};
    __syncthreads();
    const long long begin = clock64();
#pragma unroll 1
    for (int i = 0; i < times; ++i) {
#pragma unroll
        for (int j = 0; j < parts; ++j) {
            if constexpr (kind == uniform) {
                if (flags >> j & 1) multiply(sums, x);
            } else if constexpr (kind == lanes) {
                if (mine >> j & 1) multiply(sums, x);
            } else if constexpr (kind == sides) {
                if (mine >> j & 1) {
                    multiply(sums, x);
                } else {
                    multiply(others, x);
                }
            } else if constexpr (kind == call) {
                sums[0] = called(sums[0], sums[1], sums[2], sums[3], x);
            } else {
#pragma unroll 1
                for (int k = 0; k < (mine & 15); ++k) {
#pragma unroll
                    for (int p = 0; p < 4; ++p) asm volatile("fma.rn.f32 %0, %0, %1, %1;" : "+f"(sums[p]) : "f"(x));
                }
            }
        }
    }
    const long long end = clock64();
    float sum = 0;
    for (int p = 0; p < 4; ++p) sum += sums[p] + others[p];
    if (sum == -1) out[0] = sum;
    if (threadIdx.x % 32 == 0) marks[blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32] = {sm_number(), begin, end};
}

Mark* marks = nullptr;
float* out = nullptr;
int* lane_flags = nullptr;
int sms = 0;

template <Kind kind>
void measure(const char* name, int even, int odd, int warps) {
    std::vector<int> of_lanes(32);
    for (int l = 0; l < 32; ++l) of_lanes[l] = l % 2 == 0 ? even : odd;
    check(cudaMemcpy(lane_flags, of_lanes.data(), 128, cudaMemcpyHostToDevice));
    std::vector<double> cycles;
    for (int r = 0; r < 6; ++r) {
        flow<kind><<<sms, 32 * warps>>>(marks, out, lane_flags, even, 1.5F);
        check(cudaDeviceSynchronize());
        std::vector<Mark> got(sms * warps);
        check(cudaMemcpy(got.data(), marks, got.size() * sizeof(Mark), cudaMemcpyDeviceToHost));
        std::vector<long long> begin(sms, -1), end(sms, 0), of_sm;
        for (const auto& m : got) {
            begin[m.sm] = begin[m.sm] < 0 ? m.begin : std::min(begin[m.sm], m.begin);
            end[m.sm] = std::max(end[m.sm], m.end);
        }
        for (int s = 0; s < sms; ++s) of_sm.push_back(end[s] - begin[s]);
        std::sort(of_sm.begin(), of_sm.end());
        if (r > 0) cycles.push_back(double(of_sm[sms / 2]) / times);
    }
    std::sort(cycles.begin(), cycles.end());
    std::printf("%s,%d:%d,%d,%.2f\n", name, even, odd, warps, cycles[2]);
}

}  // namespace

int main() {
    cudaDeviceProp gpu{};
    check(cudaGetDeviceProperties(&gpu, 0));
    sms = gpu.multiProcessorCount;
    check(cudaMalloc(&marks, sizeof(Mark) * sms * 32));
    check(cudaMalloc(&out, 64));
    check(cudaMalloc(&lane_flags, 128));
    std::printf("# gpu: %s\nkind,flags,warps,cycles\n", gpu.name);
    for (int warps : {1, 4, 8, 16, 32}) {
        for (int flags : {0, 255, 85, 15}) measure<uniform>("uniform", flags, flags, warps);
        for (int flags : {0, 255, 85, 15}) measure<lanes>("lanes", flags, flags, warps);
        measure<lanes>("lanes", 255, 0, warps);
        measure<lanes>("lanes", 85, 170, warps);
        for (int flags : {0, 255, 85, 15}) measure<sides>("sides", flags, flags, warps);
        measure<sides>("sides", 255, 0, warps);
        measure<sides>("sides", 85, 170, warps);
        measure<call>("call", 0, 0, warps);
        for (int trips : {0, 1, 2, 5}) measure<walk>("walk", trips, trips, warps);
        measure<walk>("walk", 0, 5, warps);
        measure<walk>("walk", 1, 2, warps);
        measure<walk>("walk", 4, 5, warps);
    }
}
