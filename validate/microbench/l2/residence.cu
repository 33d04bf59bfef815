// l2_residence READERS=..;ORDER=..;BYTES=..   cycles per step of 16 KiB (256 threads with four 16-byte loads
// each, then a barrier), mean over the SMs that take part, while passes over BYTES of data follow each other
//   READERS=all    all SMs read all of it, in the same order
//   READERS=half   the SMs of one half read all of it, the others nothing
//   READERS=split  the SMs of each half read a half of the data of their own
//   READERS=each   every SM reads a part of its own
//   READERS=one    one SM reads all of it
//   ORDER=cyclic   from the begin to the end, and again: what is read again lies BYTES back
//   ORDER=random   steps drawn anew in every pass: the part that comes from DRAM is the part that does not
//   stay
// Under a profiler the DRAM's bytes say the same without a clock (--once: two launches each, the second
// counts). Determines l2.size of shared and of private data.
#include "validate/microbench/l2/l2.cuh"

namespace gpumodel::microbench {
namespace {

constexpr int threads = 256, depth = 4;
constexpr std::size_t step_bytes = std::size_t(threads) * depth * sizeof(uint4);
constexpr int passes = 4;

struct Part {
    std::uint32_t first = 0, steps = 0;  // steps 0: nothing
};

__device__ std::uint32_t drawn(std::uint32_t number, std::uint32_t steps) {
    number = (number ^ number >> 16) * 0x7feb352dU;
    number = (number ^ number >> 15) * 0x846ca68bU;
    return __umulhi(number ^ number >> 16, steps);
}

__global__ void __launch_bounds__(threads) walk(const uint4* data, const Part* parts, bool random,
                                                std::uint32_t seed, Interval* intervals, unsigned* out) {
    const Part part = parts[sm_number()];
    if (part.steps == 0) {
        return;
    }
    unsigned sum = 0;
    const long long begin = clock64();
    std::uint32_t number = seed;
    for (int pass = 0; pass < passes; ++pass) {
        for (std::uint32_t step = 0; step < part.steps; ++step, ++number) {
            const std::uint32_t at = part.first + (random ? drawn(number, part.steps) : step);
            const uint4* from = data + std::size_t(at) * (threads * depth) + threadIdx.x;
            uint4 v[depth];
#pragma unroll
            for (int d = 0; d < depth; ++d) {
                v[d] = __ldcg(from + d * threads);
            }
#pragma unroll
            for (int d = 0; d < depth; ++d) {
                sum ^= v[d].x ^ v[d].y ^ v[d].z ^ v[d].w;
            }
            __syncthreads();
        }
    }
    if (threadIdx.x == 0) {
        intervals[sm_number()] = {begin, clock64()};
    }
    if (sum == 1) {
        *out = sum;
    }
}

std::vector<Part> parts_of(const std::string& readers, const Halves& halves, std::uint32_t steps) {
    std::vector<Part> parts(halves.of_sm.size());
    const auto sms = static_cast<std::uint32_t>(parts.size());
    for (std::uint32_t sm = 0; sm < sms; ++sm) {
        const int half = halves.of_sm[sm];
        if (readers == "all" || (readers == "half" && half == 0) || (readers == "one" && sm == 0)) {
            parts[sm] = {0, steps};
        } else if (readers == "split") {
            parts[sm] = {static_cast<std::uint32_t>(half) * (steps / 2), steps / 2};
        } else if (readers == "each") {
            parts[sm] = {sm * (steps / sms), steps / sms};
        }
    }
    return parts;
}

class Walks {
public:
    Walks(const Device& device, std::size_t bytes)
        : device_(device), halves_(find_halves(device)), data_(bytes / sizeof(uint4)) {}

    void measure(Recorder& recorder, const std::string& readers, bool random, std::uint32_t steps) {
        const std::string params = "READERS=" + readers + ";ORDER=" + (random ? "random" : "cyclic") + ";" +
                                   pair("BYTES", static_cast<long long>(steps * step_bytes));
        if (!recorder.wanted("l2_residence", params)) {
            return;
        }
        const auto parts = parts_of(readers, halves_, steps);
        measure::require(
            cudaMemcpy(parts_.data(), parts.data(), parts.size() * sizeof(Part), cudaMemcpyHostToDevice),
            "cudaMemcpy");
        std::vector<double> samples;
        const int launches = recorder.once() ? 2 : 6;
        for (int i = 0; i < launches; ++i) {
            launch_one_per_sm(device_, walk, threads, static_cast<const uint4*>(data_.data()),
                              static_cast<const Part*>(parts_.data()), random,
                              static_cast<std::uint32_t>(i) * 1000003U, intervals_.data(), out_.data());
            if (i > 0) {
                samples.push_back(cycles_per_step(parts));
            }
        }
        recorder.add({"l2_residence", params, "cycles", ""}, samples);
    }

private:
    double cycles_per_step(const std::vector<Part>& parts) {
        const auto intervals = intervals_.host();
        double sum = 0, readers = 0;
        for (std::size_t sm = 0; sm < parts.size(); ++sm) {
            if (parts[sm].steps > 0) {
                sum += double(intervals[sm].end - intervals[sm].begin) / (double(passes) * parts[sm].steps);
                readers += 1;
            }
        }
        return sum / readers;
    }

    const Device& device_;
    Halves halves_;
    DeviceArray<uint4> data_;
    DeviceArray<Part> parts_{static_cast<std::size_t>(device_.sm_count)};
    DeviceArray<Interval> intervals_{static_cast<std::size_t>(device_.sm_count)};
    DeviceArray<unsigned> out_{1};
};

}  // namespace

void l2_residence(const Device& device, Recorder& recorder) {
    constexpr std::size_t mib = 1 << 20;
    constexpr std::uint32_t per_mib = mib / step_bytes;
    Walks walks(device, 96 * mib);
    for (const bool random : {false, true}) {
        for (const char* readers : {"all", "half"}) {
            for (const std::uint32_t x : {4,  8,  12, 14, 16, 17, 18, 19, 20, 21, 22, 23, 24,
                                          25, 26, 27, 28, 29, 30, 32, 36, 40, 44, 48, 56, 64}) {
                walks.measure(recorder, readers, random, x * per_mib);
            }
        }
        for (const std::uint32_t x :
             {8, 16, 24, 28, 32, 34, 36, 38, 40, 42, 44, 46, 48, 52, 56, 60, 64, 72}) {
            walks.measure(recorder, "split", random, x * per_mib);
        }
        for (const std::uint32_t each :
             {4, 8, 10, 12, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 28, 30, 32, 36}) {
            walks.measure(recorder, "each", random, each * static_cast<std::uint32_t>(device.sm_count));
        }
        for (const std::uint32_t x : {8, 16, 20, 24, 28, 32, 40, 48, 64}) {
            walks.measure(recorder, "one", random, x * per_mib);
        }
    }
}

}  // namespace gpumodel::microbench
