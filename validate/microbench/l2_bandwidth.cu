// l2_bandwidth SMS=..;THREADS=..;BYTES_IN_FLIGHT=..   bytes per cycle that SMS SMs together read from L2 with
// one block of THREADS threads each, BYTES_IN_FLIGHT per SM; every block reads 128 KiB of its own again
// and again.
// Determines l2.read_bandwidth (all SMs), l2.read_bandwidth_per_sm (one), and the latency under load by
// Little's law (few bytes in flight).
#include <algorithm>

#include "validate/microbench/stream.cuh"

namespace gpumodel::microbench {
namespace {

constexpr std::size_t block_bytes = 128 * 1024;
constexpr std::size_t block_vectors = block_bytes / sizeof(uint4);
constexpr int rounds = 64;

template <int DEPTH>
__global__ void __launch_bounds__(1024)
    read_own(const uint4* data, Interval* blocks, unsigned* out, unsigned never) {
    const uint4* own = data + blockIdx.x * block_vectors;
    unsigned sum = read_all<DEPTH>(own, block_vectors, threadIdx.x, blockDim.x, never);  // fills L2
    __syncthreads();
    const long long begin = clock64();
    for (int round = 0; round < rounds; ++round) {
        sum ^= read_all<DEPTH>(own, block_vectors, threadIdx.x, blockDim.x, never);
    }
    __syncthreads();
    if (threadIdx.x == 0) {
        blocks[blockIdx.x] = {begin, clock64()};
    }
    if (sum == 1) {
        *out = sum;  // never: the data are zero
    }
}

template <int DEPTH>
void measure(Recorder& recorder, int sms, int threads) {
    const std::string params = pair("SMS", sms) + ";" + pair("THREADS", threads) + ";" +
                               pair("BYTES_IN_FLIGHT", 16LL * threads * DEPTH);
    if (!recorder.wanted("l2_bandwidth", params)) {
        return;
    }
    const DeviceArray<uint4> data(block_vectors * static_cast<std::size_t>(sms));
    const DeviceArray<Interval> blocks(static_cast<std::size_t>(sms));
    const DeviceArray<unsigned> out(1);
    std::vector<double> samples;
    for (int i = 0; i < repetitions; ++i) {
        read_own<DEPTH><<<sms, threads>>>(data.data(), blocks.data(), out.data(), 0);
        finish("L2 bandwidth");
        // The SMs' clocks have different zeros, so the longest time counts: some SMs get more than others,
        // and the sum of their rates is more than all get together (H200: 4901 for 4447).
        double longest = 1;
        for (const Interval& block : blocks.host()) {
            longest = std::max(longest, static_cast<double>(block.end - block.begin));
        }
        samples.push_back(double(block_bytes) * rounds * sms / longest);
    }
    recorder.add({"l2_bandwidth", params, "bytes_per_cycle",
                  sms == 1 ? "l2.read_bandwidth_per_sm" : "l2.read_bandwidth"},
                 samples);
}

}  // namespace

void l2_bandwidth(const Device& device, Recorder& recorder) {
    for (const int sms : {1, 2, device.sm_count / 4, device.sm_count / 2, device.sm_count}) {
        for (const int threads : {128, 256, 512, 1024}) {
            measure<1>(recorder, sms, threads);
            measure<2>(recorder, sms, threads);
            measure<4>(recorder, sms, threads);
            measure<8>(recorder, sms, threads);
        }
    }
}

}  // namespace gpumodel::microbench
