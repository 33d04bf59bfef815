// l2_half SM=..                    half of the L2 that the SM is attached to (SM 0: half 0)
// l2_half_of_block BLOCKS=..;BLOCK=..  half of the SM that block BLOCK of a grid of BLOCKS ran on; 2 * SMs
//                                  blocks: two resident on each SM
// l2_atomic_latency HOME=near|far  cycles of one dependent atomic at lines of the SM's own half and of the
// other l2_home_run                      mean bytes of neighbouring lines with the same home Determine
// l2.halves, l2.sms_per_half_run.
#include <cmath>
#include <numeric>
#include <random>

#include "validate/microbench/l2/l2.cuh"

namespace gpumodel::microbench {
namespace {

constexpr int chain = 4;

// On one SM: cycles of an atomic at each of the lines.
__global__ void __launch_bounds__(32)
    atomic_cycles(char* memory, const std::uint32_t* lines, int count, unsigned sm, float* cycles) {
    if (sm_number() != sm || threadIdx.x != 0) {
        return;
    }
    for (int i = 0; i < count; ++i) {
        auto* const word = reinterpret_cast<unsigned*>(memory + lines[i] * l2_line);
        unsigned zero = atomicAdd(word, 0);
        const long long begin = clock64() + zero;
        for (int step = 0; step < chain; ++step) {
            zero = atomicAdd(word + zero, zero);
        }
        cycles[i] = static_cast<float>(clock64() + zero - begin) / chain;
    }
}

std::vector<std::vector<double>> latencies(const Device& device, char* memory,
                                           const std::vector<std::uint32_t>& lines,
                                           const std::vector<int>& sms) {
    const DeviceArray<std::uint32_t> list(lines.size());
    measure::require(
        cudaMemcpy(list.data(), lines.data(), lines.size() * sizeof(std::uint32_t), cudaMemcpyHostToDevice),
        "cudaMemcpy");
    const DeviceArray<float> cycles(lines.size());
    std::vector<std::vector<double>> all;
    for (const int sm : sms) {
        launch_one_per_sm(device, atomic_cycles, 32, memory, list.data(), static_cast<int>(lines.size()),
                          static_cast<unsigned>(sm), cycles.data());
        const auto measured = cycles.host();
        all.emplace_back(measured.begin(), measured.end());
    }
    return all;
}

std::vector<std::uint32_t> random_lines(int count, std::uint32_t among) {
    std::vector<std::uint32_t> lines(among);
    std::iota(lines.begin(), lines.end(), 0u);
    std::minstd_rand engine(3);
    std::shuffle(lines.begin(), lines.end(), engine);
    lines.resize(static_cast<std::size_t>(count));
    return lines;
}

// Less the mean of its row and its column.
void centre(std::vector<std::vector<double>>& table) {
    const double rows = double(table.size()), columns = double(table.front().size());
    for (auto& row : table) {
        const double mean = std::accumulate(row.begin(), row.end(), 0.0) / columns;
        for (auto& value : row) {
            value -= mean;
        }
    }
    for (std::size_t c = 0; c < table.front().size(); ++c) {
        double mean = 0;
        for (const auto& row : table) {
            mean += row[c] / rows;
        }
        for (auto& row : table) {
            row[c] -= mean;
        }
    }
}

__global__ void __launch_bounds__(1024) note_sm(int* sm_of_block, long long stay) {
    const long long begin = clock64();
    if (threadIdx.x == 0) {
        sm_of_block[blockIdx.x] = static_cast<int>(sm_number());
    }
    while (clock64() - begin < stay) {
    }
}

__global__ void read_through(const uint4* data, std::size_t vectors, unsigned* out) {
    unsigned sum = 0;
    for (std::size_t i = blockIdx.x * blockDim.x + threadIdx.x; i < vectors; i += gridDim.x * blockDim.x) {
        sum ^= __ldcg(data + i).x;
    }
    if (sum == 1) {
        *out = sum;  // never: the data are zero
    }
}

}  // namespace

std::vector<int> Halves::sms(int half) const {
    std::vector<int> list;
    for (std::size_t sm = 0; sm < of_sm.size(); ++sm) {
        if (of_sm[sm] == half) {
            list.push_back(static_cast<int>(sm));
        }
    }
    return list;
}

Halves find_halves(const Device& device) {
    constexpr std::uint32_t among = 1 << 16;
    constexpr int count = 512;
    const DeviceArray<char> memory(among * l2_line);
    const auto lines = random_lines(count, among);
    std::vector<int> sms(static_cast<std::size_t>(device.sm_count));
    std::iota(sms.begin(), sms.end(), 0);
    latencies(device, memory.data(), lines, {0});  // warms the TLB up
    const auto cycles = latencies(device, memory.data(), lines, sms);
    auto table = cycles;
    centre(table);
    Halves halves;
    for (const auto& row : table) {
        const double like = std::inner_product(row.begin(), row.end(), table.front().begin(), 0.0);
        halves.of_sm.push_back(like < 0 ? 1 : 0);
    }
    std::vector<int> homes;
    for (int line = 0; line < count; ++line) {
        double sum = 0;
        for (std::size_t sm = 0; sm < sms.size(); ++sm) {
            sum += (halves.of_sm[sm] == 0 ? 1 : -1) * table[sm][static_cast<std::size_t>(line)];
        }
        homes.push_back(sum < 0 ? 0 : 1);
    }
    double sums[2] = {}, counts[2] = {}, agree = 0;
    for (std::size_t sm = 0; sm < sms.size(); ++sm) {
        for (std::size_t line = 0; line < homes.size(); ++line) {
            const int far = homes[line] != halves.of_sm[sm];
            sums[far] += cycles[sm][line];
            counts[far] += 1;
            agree += (table[sm][line] > 0) == (far == 1);
        }
    }
    halves.near_atomic_cycles = sums[0] / counts[0];
    halves.far_atomic_cycles = sums[1] / counts[1];
    halves.agreement = agree / (counts[0] + counts[1]);
    return halves;
}

std::vector<int> line_homes(const Halves& halves, const Device& device, char* memory, std::size_t lines) {
    std::vector<std::uint32_t> all(lines);
    std::iota(all.begin(), all.end(), 0u);
    const std::vector<int> one_each{halves.sms(0)[0], halves.sms(1)[0], halves.sms(0)[5], halves.sms(1)[5]};
    const auto cycles = latencies(device, memory, all, one_each);
    std::vector<int> homes;
    for (std::size_t i = 0; i < lines; ++i) {
        homes.push_back(cycles[0][i] + cycles[2][i] < cycles[1][i] + cycles[3][i] ? 0 : 1);
    }
    return homes;
}

void evict_l2() {
    constexpr std::size_t bytes = std::size_t(512) << 20;
    static const DeviceArray<uint4> other(bytes / sizeof(uint4));
    static const DeviceArray<unsigned> out(1);
    read_through<<<1024, 256>>>(other.data(), bytes / sizeof(uint4), out.data());
    finish("eviction");
}

void l2_halves(const Device& device, Recorder& recorder) {
    if (!recorder.wanted("l2_half", "SM=0")) {
        return;
    }
    const auto halves = find_halves(device);
    for (std::size_t sm = 0; sm < halves.of_sm.size(); ++sm) {
        recorder.add({"l2_half", pair("SM", static_cast<long long>(sm)), "half", ""},
                     {double(halves.of_sm[sm])});
    }
    recorder.add({"l2_atomic_latency", "HOME=near", "cycles", ""}, {halves.near_atomic_cycles});
    recorder.add({"l2_atomic_latency", "HOME=far", "cycles", ""}, {halves.far_atomic_cycles});
    recorder.add({"l2_atomic_latency", "SIDE=right", "part", ""}, {halves.agreement});
    for (const int blocks : {device.sm_count / 2, device.sm_count, 2 * device.sm_count}) {
        const DeviceArray<int> sms(static_cast<std::size_t>(blocks));
        note_sm<<<blocks, 1024>>>(sms.data(), 100000);
        finish("blocks' SMs");
        const auto of_block = sms.host();
        for (std::size_t b = 0; b < of_block.size(); ++b) {
            recorder.add({"l2_half_of_block",
                          pair("BLOCKS", blocks) + ";" + pair("BLOCK", static_cast<long long>(b)) + ";" +
                              pair("SM", of_block[b]),
                          "half", "l2.sms_per_half_run"},
                         {double(halves.of_sm[static_cast<std::size_t>(of_block[b])])});
        }
    }
    constexpr std::size_t lines = 1 << 16;
    const DeviceArray<char> memory(lines * l2_line);
    const auto homes = line_homes(halves, device, memory.data(), lines);
    double runs = 1, first = 0;
    for (std::size_t i = 1; i < lines; ++i) {
        runs += homes[i] != homes[i - 1];
    }
    for (const int home : homes) {
        first += home == 0;
    }
    recorder.add({"l2_home_run", "", "bytes", ""}, {double(lines * l2_line) / runs});
    recorder.add({"l2_home_share", "HALF=0", "part", ""}, {first / double(lines)});
}

}  // namespace gpumodel::microbench
