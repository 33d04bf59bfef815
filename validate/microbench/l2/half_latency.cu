// l2_half_latency READER=near|far;STATE=..   cycles of one dependent 4-byte load of an SM of the line's home
// half (near) or of the other (far), where the line
//   STATE=dram      is in neither half
//   STATE=home      was read by an SM of its home half before (far: the first read of this half)
//   STATE=through   was read by an SM of the other half before (near: does the home keep what passes
//   through?) STATE=again     was read by the same SM before (far: the copy in its own half) STATE=written
//   was written by an SM of its home half after the reader had read it
// Determines l2.latency, l2.far_latency, dram.latency near and far.
#include "validate/microbench/l2/l2.cuh"

namespace gpumodel::microbench {
namespace {

constexpr int most_lines = 2048;

// On one SM: cycles per load of a walk along the lines, after `tlb` lines beside them have been read once.
__global__ void __launch_bounds__(32)
    walk(const char* memory, const std::uint32_t* lines, int count, unsigned sm, bool write, float* cycles) {
    extern __shared__ std::uint32_t list[];
    if (sm_number() != sm) {
        return;
    }
    for (int i = static_cast<int>(threadIdx.x); i < count; i += 32) {
        list[i] = lines[i];
    }
    __syncwarp();
    if (threadIdx.x != 0) {
        return;
    }
    if (write) {
        for (int i = 0; i < count; ++i) {
            *reinterpret_cast<volatile unsigned*>(const_cast<char*>(memory) + list[i] * l2_line) = 0;
        }
        __threadfence();
        return;
    }
    unsigned zero = 0;
    const long long begin = clock64();
#pragma unroll 4
    for (int i = 0; i < count; ++i) {
        const auto* at = memory + (std::size_t(list[i]) * l2_line + zero);
        asm volatile("ld.global.cg.u32 %0, [%1];" : "=r"(zero) : "l"(at));
    }
    *cycles = static_cast<float>(clock64() + zero - begin) / static_cast<float>(count);
}

class Readers {
public:
    Readers(const Device& device, const Halves& halves) : device_(device), halves_(halves), memory_(bytes) {
        const auto homes = line_homes(halves, device, memory_.data(), bytes / l2_line);
        // every 16th candidate: lines of many slices, no two in one sector's neighbourhood
        for (std::uint32_t i = 0; i < homes.size(); ++i) {
            auto& list = i % 2 == 0 ? lines_[homes[i]] : beside_[homes[i]];
            if (list.size() < most_lines && (i * 2654435761U >> 28) == 0) {
                list.push_back(i);
            }
        }
    }
    // Cycles per load of the k-th SM of `half` along the lines of `home`.
    double read(int half, int home, int k, bool write = false) {
        const auto sms = halves_.sms(half);
        return run(lines_[home], sms[static_cast<std::size_t>(k) * 7 % sms.size()], write);
    }
    // So that the next walk of this SM finds the pages known.
    void know_pages(int half, int home, int k) {
        const auto sms = halves_.sms(half);
        run(beside_[home], sms[static_cast<std::size_t>(k) * 7 % sms.size()], false);
    }

private:
    static constexpr std::size_t bytes = std::size_t(16) << 20;
    double run(const std::vector<std::uint32_t>& lines, int sm, bool write) {
        measure::require(cudaMemcpy(list_.data(), lines.data(), lines.size() * sizeof(std::uint32_t),
                                    cudaMemcpyHostToDevice),
                         "cudaMemcpy");
        launch_one_per_sm(device_, walk, 32, static_cast<const char*>(memory_.data()), list_.data(),
                          static_cast<int>(lines.size()), static_cast<unsigned>(sm), write, cycles_.data());
        return double(cycles_.host()[0]);
    }

    const Device& device_;
    const Halves& halves_;
    DeviceArray<char> memory_;
    DeviceArray<std::uint32_t> list_{most_lines};
    DeviceArray<float> cycles_{1};
    std::vector<std::uint32_t> lines_[2], beside_[2];
};

}  // namespace

void l2_half_latency(const Device& device, Recorder& recorder) {
    if (!recorder.wanted("l2_half_latency", "READER=near;STATE=dram")) {
        return;
    }
    const auto halves = find_halves(device);
    Readers readers(device, halves);
    std::vector<double> near_dram, near_again, far_home, far_again, far_dram, near_through, far_again2,
        far_written, near_again2;
    for (int i = 0; i < 2 * repetitions; ++i) {
        const int home = i % 2, other = 1 - home;
        evict_l2();
        readers.know_pages(home, home, i);
        near_dram.push_back(readers.read(home, home, i));
        near_again.push_back(readers.read(home, home, i));
        readers.know_pages(other, home, i);
        far_home.push_back(readers.read(other, home, i));
        far_again.push_back(readers.read(other, home, i));
        near_again2.push_back(readers.read(home, home, i));
        readers.read(home, home, i, true);
        far_written.push_back(readers.read(other, home, i));
        evict_l2();
        readers.know_pages(other, home, i);
        far_dram.push_back(readers.read(other, home, i));
        readers.know_pages(home, home, i);
        near_through.push_back(readers.read(home, home, i));
        far_again2.push_back(readers.read(other, home, i));
    }
    const auto add = [&](const char* params, const char* key, const std::vector<double>& samples) {
        recorder.add({"l2_half_latency", params, "cycles", key}, samples);
    };
    add("READER=near;STATE=dram", "dram.latency", near_dram);
    add("READER=near;STATE=again", "l2.latency", near_again);
    add("READER=near;STATE=again_after_far", "", near_again2);
    add("READER=far;STATE=home", "l2.far_latency", far_home);
    add("READER=far;STATE=again", "l2.latency", far_again);
    add("READER=far;STATE=written", "", far_written);
    add("READER=far;STATE=dram", "dram.far_latency", far_dram);
    add("READER=near;STATE=through", "", near_through);
    add("READER=far;STATE=again_after_near", "", far_again2);
}

}  // namespace gpumodel::microbench
