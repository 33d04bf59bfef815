// pipe_latency OP=..             cycles from an instruction to the first user of its result
// pipe_throughput OP=..;WARPS=.. results per cycle and SM of WARPS warps with four independent chains each
// Determine sm.ops.OP.latency and sm.ops.OP.throughput.
#include <type_traits>

#include "validate/microbench/microbench.cuh"
#include "validate/microbench/pipe_ops.cuh"

namespace gpumodel::microbench {
namespace {

constexpr int short_body = 64;  // instructions; the long one still fits the nearest instruction cache
constexpr int long_body = 192;
constexpr int rounds = 100;

// COUNT steps of every chain, one of each in turn; a predicate chain is one asm statement, so those follow
// one another and overlap across warps.
template <class Op, int COUNT, int CHAINS>
__device__ __forceinline__ void advance(Chain<typename Op::Word> (&chains)[CHAINS]) {
    if constexpr (std::is_same_v<Op, Compare>) {
#pragma unroll
        for (auto& chain : chains) {
            Op::template steps<COUNT>(chain);
        }
    } else {
#pragma unroll
        for (int i = 0; i < COUNT; ++i) {
#pragma unroll
            for (auto& chain : chains) {
                Op::step(chain);
            }
        }
    }
}

template <class Op, int CHAINS, int BODY>
__global__ void __launch_bounds__(1024)
    run_chains(typename Op::Word seed, Interval* warps, typename Op::Word* out) {
    using Word = typename Op::Word;
    Chain<Word> chains[CHAINS];
    for (int i = 0; i < CHAINS; ++i) {
        chains[i] = {seed + Word(threadIdx.x + i), seed + Word(2 * i + 1), seed, seed + Word(3)};
    }
    __syncthreads();
    const long long begin = clock64();
#pragma unroll 1
    for (int round = 0; round < rounds; ++round) {
        advance<Op, BODY / CHAINS>(chains);
    }
    const long long end = clock64();
    Word sum = 0;
    for (const auto& chain : chains) {
        sum += chain.x + chain.y;
    }
    out[threadIdx.x] = sum;
    if (threadIdx.x % 32 == 0) {
        warps[threadIdx.x / 32] = {begin, end};
    }
}

// Cycles per instruction and warp.
template <class Op, int CHAINS>
std::vector<double> cycles_per_instruction(int warps) {
    using Word = typename Op::Word;
    const DeviceArray<Interval> intervals(static_cast<std::size_t>(warps));
    const DeviceArray<Word> out(1024);
    const auto run = [&](auto kernel) {
        return [&, kernel] {
            kernel<<<1, 32 * warps>>>(Word(1), intervals.data(), out.data());
            finish("pipes");
            return span(intervals.host());
        };
    };
    return difference(run(run_chains<Op, CHAINS, short_body>), run(run_chains<Op, CHAINS, long_body>),
                      double(rounds) * (long_body - short_body));
}

template <class Op>
void measure(const Device& device, Recorder& recorder) {
    if (device.compute_capability < Op::least_cc) {
        return;
    }
    const std::string op = std::string("OP=") + Op::name;
    const std::string key = std::string("sm.ops.") + Op::name;
    if (recorder.wanted("pipe_latency", op)) {
        recorder.add({"pipe_latency", op, "cycles", key + ".latency"}, cycles_per_instruction<Op, 1>(1));
    }
    for (const int warps : {1, 2, 4, 8, 16, 32}) {
        const std::string params = op + ";" + pair("WARPS", warps);
        if (recorder.wanted("pipe_throughput", params)) {
            auto samples = cycles_per_instruction<Op, 4>(warps);
            for (double& sample : samples) {
                sample = 32.0 * warps / sample;
            }
            recorder.add({"pipe_throughput", params, "lanes_per_cycle", key + ".throughput"}, samples);
        }
    }
}

}  // namespace

void pipes(const Device& device, Recorder& recorder) {
    measure<Ffma>(device, recorder);
    measure<Fadd>(device, recorder);
    measure<Fmul>(device, recorder);
    measure<Dfma>(device, recorder);
    measure<Hfma>(device, recorder);
    measure<Iadd>(device, recorder);
    measure<Imad>(device, recorder);
    measure<ImadWide>(device, recorder);
    measure<Logic>(device, recorder);
    measure<Shift>(device, recorder);
    measure<Compare>(device, recorder);
    measure<F2i>(device, recorder);
    measure<I2f>(device, recorder);
    measure<Mufu>(device, recorder);
    measure<Shfl>(device, recorder);
}

}  // namespace gpumodel::microbench
