// l2_half_bandwidth OP=read|write|atomic;HOME=near|far;STATE=..;SMS=..   bytes per cycle that SMS SMs of one
// half together move to or from lines of their own half (near) or of the other (far), every SM lines of its
// own
//   STATE=dram     in neither half     STATE=home   in their home half alone     STATE=again   read before
// Writes fill whole lines; atomics add to every word of a line.
// Determines l2.far_bandwidth.
#include "validate/microbench/l2/l2.cuh"

namespace gpumodel::microbench {
namespace {

enum class Op { read, write, atomic };
constexpr int threads = 1024;
constexpr std::size_t region_bytes = std::size_t(32) << 20;

// Every SM that has lines: eight lanes take a line, four lines of a warp and four steps together.
template <Op OP>
__global__ void __launch_bounds__(threads)
    stream(char* memory, const std::uint32_t* lines, const int2* of_sm, Interval* intervals, unsigned* out) {
    const int2 range = of_sm[sm_number()];
    if (range.x == range.y) {
        return;
    }
    constexpr int lanes = OP == Op::atomic ? 32 : 8, depth = 4;
    const int group = static_cast<int>(threadIdx.x) / lanes, groups = threads / lanes;
    const int lane = static_cast<int>(threadIdx.x) % lanes;
    unsigned sum = 0;
    __syncthreads();
    const long long begin = clock64();
    for (int i = range.x + group; i < range.y; i += groups * depth) {
        char* at[depth];
#pragma unroll
        for (int d = 0; d < depth; ++d) {
            const int k = min(i + d * groups, range.y - 1);
            at[d] = memory + std::size_t(lines[k]) * l2_line;
        }
#pragma unroll
        for (int d = 0; d < depth; ++d) {
            if constexpr (OP == Op::read) {
                sum ^= __ldcg(reinterpret_cast<const uint4*>(at[d]) + lane).x;
            } else if constexpr (OP == Op::write) {
                __stcg(reinterpret_cast<uint4*>(at[d]) + lane, make_uint4(0, 0, 0, 0));
            } else {
                atomicAdd(reinterpret_cast<unsigned*>(at[d]) + lane, 0u);
            }
        }
    }
    if constexpr (OP != Op::read) {
        __threadfence();
    }
    __syncthreads();
    if (threadIdx.x == 0) {
        intervals[sm_number()] = {begin, clock64()};
    }
    if (sum == 1) {
        *out = sum;
    }
}

class Streams {
public:
    Streams(const Device& device, const Halves& halves)
        : device_(device), halves_(halves), memory_(region_bytes) {
        const auto homes = line_homes(halves, device, memory_.data(), region_bytes / l2_line);
        for (std::uint32_t i = 0; i < homes.size(); ++i) {
            lines_[homes[i]].push_back(i);
        }
    }
    // Bytes per cycle of the first `sms` SMs of `half` with lines of `home`.
    template <Op OP>
    double run(int half, int home, int sms) {
        const auto list = halves_.sms(half);
        const auto& lines = lines_[home];
        measure::require(cudaMemcpy(list_.data(), lines.data(), lines.size() * sizeof(std::uint32_t),
                                    cudaMemcpyHostToDevice),
                         "cudaMemcpy");
        std::vector<int2> ranges(static_cast<std::size_t>(device_.sm_count), int2{0, 0});
        const int each = static_cast<int>(lines.size()) / static_cast<int>(list.size());
        for (int k = 0; k < sms; ++k) {
            ranges[static_cast<std::size_t>(list[static_cast<std::size_t>(k)])] = {k * each, (k + 1) * each};
        }
        measure::require(
            cudaMemcpy(ranges_.data(), ranges.data(), ranges.size() * sizeof(int2), cudaMemcpyHostToDevice),
            "cudaMemcpy");
        launch_one_per_sm(device_, stream<OP>, threads, memory_.data(),
                          static_cast<const std::uint32_t*>(list_.data()),
                          static_cast<const int2*>(ranges_.data()), intervals_.data(), out_.data());
        const auto intervals = intervals_.host();
        double rate = 0;
        for (int k = 0; k < sms; ++k) {
            const auto& at = intervals[static_cast<std::size_t>(list[static_cast<std::size_t>(k)])];
            rate += double(each) * l2_line / double(at.end - at.begin);
        }
        return rate;
    }
    [[nodiscard]] int most(int half) const { return static_cast<int>(halves_.sms(half).size()); }

private:
    const Device& device_;
    const Halves& halves_;
    DeviceArray<char> memory_;
    DeviceArray<std::uint32_t> list_{region_bytes / l2_line};
    DeviceArray<int2> ranges_{static_cast<std::size_t>(device_.sm_count)};
    DeviceArray<Interval> intervals_{static_cast<std::size_t>(device_.sm_count)};
    DeviceArray<unsigned> out_{1};
    std::vector<std::uint32_t> lines_[2];
};

void add(Recorder& recorder, const char* what, int sms, const char* key, const std::vector<double>& samples) {
    recorder.add({"l2_half_bandwidth", std::string(what) + ";" + pair("SMS", sms), "bytes_per_cycle", key},
                 samples);
}

void measure(Streams& streams, Recorder& recorder, int sms) {
    std::vector<double> near_dram, near_again, far_home, far_again, far_dram, write_near, write_far,
        atomic_near, atomic_far;
    for (int i = 0; i < repetitions; ++i) {
        const int home = i % 2, other = 1 - home;
        evict_l2();
        near_dram.push_back(streams.run<Op::read>(home, home, sms));
        streams.run<Op::read>(home, home, streams.most(home));
        near_again.push_back(streams.run<Op::read>(home, home, sms));
        far_home.push_back(streams.run<Op::read>(other, home, sms));
        streams.run<Op::read>(other, home, streams.most(other));
        far_again.push_back(streams.run<Op::read>(other, home, sms));
        evict_l2();
        far_dram.push_back(streams.run<Op::read>(other, home, sms));
        streams.run<Op::write>(home, home, streams.most(home));
        write_near.push_back(streams.run<Op::write>(home, home, sms));
        write_far.push_back(streams.run<Op::write>(other, home, sms));
        atomic_near.push_back(streams.run<Op::atomic>(home, home, sms));
        atomic_far.push_back(streams.run<Op::atomic>(other, home, sms));
    }
    add(recorder, "OP=read;HOME=near;STATE=dram", sms, "", near_dram);
    add(recorder, "OP=read;HOME=near;STATE=again", sms, "", near_again);
    add(recorder, "OP=read;HOME=far;STATE=home", sms, "l2.far_bandwidth", far_home);
    add(recorder, "OP=read;HOME=far;STATE=again", sms, "", far_again);
    add(recorder, "OP=read;HOME=far;STATE=dram", sms, "", far_dram);
    add(recorder, "OP=write;HOME=near;STATE=home", sms, "", write_near);
    add(recorder, "OP=write;HOME=far;STATE=home", sms, "", write_far);
    add(recorder, "OP=atomic;HOME=near;STATE=home", sms, "", atomic_near);
    add(recorder, "OP=atomic;HOME=far;STATE=home", sms, "", atomic_far);
}

}  // namespace

void l2_half_bandwidth(const Device& device, Recorder& recorder) {
    if (!recorder.wanted("l2_half_bandwidth", "OP=read;HOME=near;STATE=dram;SMS=1")) {
        return;
    }
    const auto halves = find_halves(device);
    Streams streams(device, halves);
    for (const int sms : {1, 16, std::min(streams.most(0), streams.most(1))}) {
        measure(streams, recorder, sms);
    }
}

}  // namespace gpumodel::microbench
