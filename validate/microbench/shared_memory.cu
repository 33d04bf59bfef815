// shared_latency BITS=..;DEGREE=..                  cycles from a load to the first user of its result, idle
// SM shared_throughput OP=ld|st;BITS=..;DEGREE=..;WARPS=.. cycles per instruction of WARPS warps of one SM
// Determine sm.shared_memory.latency_*, conflict_latency, conflict_latency_per_word, bandwidth,
// min_cycles_per_request, extra_cycles_per_request, sub_partition_interval.
//
// DEGREE: lanes of one phase (32 lanes of 4 bytes, 16 of 8, 8 of 16) that meet in one of 32 four-byte banks,
// every lane with words of its own, so that an instruction takes (BITS / 32) * DEGREE wavefronts; 0 = all
// lanes read the same words.
#include <cstdint>

#include "validate/microbench/microbench.cuh"

namespace gpumodel::microbench {
namespace {

constexpr int short_body = 32;  // instructions
constexpr int long_body = 96;
constexpr int rounds = 50;
constexpr int group = 16;
constexpr int rows = 32;  // of 128 bytes that the lanes of one instruction spread over, at most
constexpr int shared_words = 32 * (rows + long_body);
constexpr int most_warps = 16;  // leaves registers for many loads in flight

__device__ __forceinline__ unsigned word_of(int bits, int degree) {
    if (degree == 0) {
        return 0;
    }
    const unsigned words = bits / 32;
    const unsigned phase = 32 / words;
    const unsigned lane = threadIdx.x % 32;
    const unsigned rank = lane % phase;
    return (lane / phase * degree + rank % degree) * 32 + rank / degree * words;
}

// What a load delivers, all of it used, so that the assembler cannot narrow the load.
template <int BITS>
__device__ __forceinline__ std::uint32_t load(const std::uint32_t* at) {
    if constexpr (BITS == 32) {
        return *at;
    } else if constexpr (BITS == 64) {
        const uint2 v = *reinterpret_cast<const uint2*>(at);
        return v.x + v.y;
    } else {
        const uint4 v = *reinterpret_cast<const uint4*>(at);
        return v.x + v.y + v.z + v.w;
    }
}

template <int BITS>
__device__ __forceinline__ void store(std::uint32_t* at, uint4 value) {
    if constexpr (BITS == 32) {
        *at = value.x;
    } else if constexpr (BITS == 64) {
        *reinterpret_cast<uint2*>(at) = make_uint2(value.x, value.y);
    } else {
        *reinterpret_cast<uint4*>(at) = value;
    }
}

// One step of a chain through addresses; volatile loads keep their width.
template <int BITS>
__device__ __forceinline__ void follow(std::uint32_t& address) {
    if constexpr (BITS == 32) {
        asm volatile("ld.volatile.shared.u32 %0, [%0];" : "+r"(address));
    } else if constexpr (BITS == 64) {
        asm volatile("{.reg .u32 t; ld.volatile.shared.v2.u32 {%0, t}, [%0];}" : "+r"(address));
    } else {
        asm volatile("{.reg .u32 t, u, v; ld.volatile.shared.v4.u32 {%0, t, u, v}, [%0];}" : "+r"(address));
    }
}

template <int BITS, int BODY>
__global__ void chase(int degree, int, Interval* warps, std::uint32_t* out) {
    __shared__ __align__(16) std::uint32_t words[shared_words];
    std::uint32_t* own = words + word_of(BITS, degree);
    std::uint32_t address = static_cast<std::uint32_t>(__cvta_generic_to_shared(own));
    *own = address;  // a chain of loads stays where it is
    __syncthreads();
    const long long begin = clock64();
#pragma unroll 1
    for (int round = 0; round < rounds; ++round) {
#pragma unroll
        for (int i = 0; i < BODY; ++i) {
            follow<BITS>(address);
        }
    }
    const long long end = clock64();
    out[threadIdx.x] = address;
    *warps = {begin, end};
}

// Every access of the body is a row of 128 bytes on: the same banks, but another place. `zero` moves the next
// round's by nothing, which the compiler cannot know: none can be left out or leave the loop.
template <int BITS, bool STORE, int BODY>
__global__ void __launch_bounds__(32 * most_warps)
    stream(int degree, int zero, Interval* warps, std::uint32_t* out) {
    __shared__ __align__(16) std::uint32_t words[shared_words];
    for (int i = static_cast<int>(threadIdx.x); i < shared_words; i += static_cast<int>(blockDim.x)) {
        words[i] = out[threadIdx.x];
    }
    std::uint32_t* own = words + word_of(BITS, degree);
    std::uint32_t sum = threadIdx.x;
    __syncthreads();
    const long long begin = clock64();
#pragma unroll 1
    for (int round = 0; round < rounds; ++round) {
#pragma unroll
        for (int i = 0; i < BODY; ++i) {
            if constexpr (STORE) {
                store<BITS>(own + 32 * i, make_uint4(sum, sum + 1, sum + 2, sum + 3));
            } else {
                sum += load<BITS>(own + 32 * i);
            }
            if (i % group == group - 1) {
                asm volatile("" ::: "memory");  // bounds the loads in flight, and the registers they take
            }
        }
        own += zero;
    }
    const long long end = clock64();
    __syncthreads();
    out[threadIdx.x] = sum + words[threadIdx.x];
    if (threadIdx.x % 32 == 0) {
        warps[threadIdx.x / 32] = {begin, end};
    }
}

// Samples in cycles per instruction of the whole SM; one warp: of that warp.
template <class Short, class Long>
std::vector<double> time(Short run_short, Long run_long, int degree, int warps) {
    const DeviceArray<Interval> intervals(static_cast<std::size_t>(warps));
    const DeviceArray<std::uint32_t> out(1024);
    const auto run = [&](auto kernel) {
        return [&, kernel] {
            kernel<<<1, 32 * warps>>>(degree, 0, intervals.data(), out.data());
            finish("shared memory");
            return span(intervals.host());
        };
    };
    return difference(run(run_short), run(run_long), double(rounds) * (long_body - short_body) * warps);
}

template <int BITS>
void measure(Recorder& recorder) {
    const std::string latency_key = "sm.shared_memory.latency_" + std::to_string(BITS);
    for (const int degree : {0, 1, 2, 4, 8, 16, 32}) {
        if (degree > 1024 / BITS) {
            continue;  // more lanes than a phase has
        }
        const std::string params = pair("BITS", BITS) + ";" + pair("DEGREE", degree);
        if (recorder.wanted("shared_latency", params)) {
            recorder.add({"shared_latency", params, "cycles",
                          degree < 2 ? latency_key : "sm.shared_memory.conflict_latency"},
                         time(chase<BITS, short_body>, chase<BITS, long_body>, degree, 1));
        }
        const bool one_wavefront = BITS == 32 ? degree < 2 : degree == 0;
        for (const int warps : {1, 2, 4, 8, most_warps}) {
            if (one_wavefront && warps < 4) {
                continue;  // the compiler issues a warp's accesses no closer than 4 cycles
            }
            for (const bool st : {false, true}) {
                const std::string name =
                    std::string(st ? "OP=st;" : "OP=ld;") + params + ";" + pair("WARPS", warps);
                if (!recorder.wanted("shared_throughput", name)) {
                    continue;
                }
                auto samples =
                    st ? time(stream<BITS, true, short_body>, stream<BITS, true, long_body>, degree, warps)
                       : time(stream<BITS, false, short_body>, stream<BITS, false, long_body>, degree, warps);
                recorder.add(
                    {"shared_throughput", name, "cycles_per_instruction",
                     warps == 1 ? "sm.shared_memory.sub_partition_interval" : "sm.shared_memory.bandwidth"},
                    samples);
            }
        }
    }
}

}  // namespace

void shared_memory(const Device&, Recorder& recorder) {
    measure<32>(recorder);
    measure<64>(recorder);
    measure<128>(recorder);
}

}  // namespace gpumodel::microbench
