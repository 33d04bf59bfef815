// barrier WARPS=..   cycles per __syncthreads() of a block of WARPS warps that do nothing else: the issue of
// the barrier plus its release after the last arrival.
// Determines sm.barrier.latency, and sm.barrier.throughput from its growth with WARPS.
#include "validate/microbench/microbench.cuh"

namespace gpumodel::microbench {
namespace {

constexpr int short_body = 16;
constexpr int long_body = 48;
constexpr int rounds = 50;

template <int BODY>
__global__ void __launch_bounds__(1024) meet(Interval* warps) {
    __syncthreads();
    const long long begin = clock64();
#pragma unroll 1
    for (int round = 0; round < rounds; ++round) {
#pragma unroll
        for (int i = 0; i < BODY; ++i) {
            __syncthreads();
        }
    }
    const long long end = clock64();
    if (threadIdx.x % 32 == 0) {
        warps[threadIdx.x / 32] = {begin, end};
    }
}

}  // namespace

void barriers(const Device&, Recorder& recorder) {
    for (const int warps : {1, 2, 4, 8, 16, 32}) {
        const std::string params = pair("WARPS", warps);
        if (!recorder.wanted("barrier", params)) {
            continue;
        }
        const DeviceArray<Interval> intervals(static_cast<std::size_t>(warps));
        const auto run = [&](auto kernel) {
            return [&, kernel] {
                kernel<<<1, 32 * warps>>>(intervals.data());
                finish("barrier");
                return span(intervals.host());
            };
        };
        recorder.add({"barrier", params, "cycles", "sm.barrier.latency sm.barrier.throughput"},
                     difference(run(meet<short_body>), run(meet<long_body>),
                                double(rounds) * (long_body - short_body)));
    }
}

}  // namespace gpumodel::microbench
