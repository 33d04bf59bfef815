#include <cstdint>
#include <stdexcept>

#include "validate/microbench/memory/kernels.cuh"
#include "validate/microbench/memory/memory.cuh"

namespace gpumodel::microbench {
namespace {

constexpr std::size_t pool_words = std::size_t{3} << 28;  // 3 GiB
constexpr int most_launches = 21;

__global__ void randomise(float* data, std::size_t words) {
    for (std::size_t i = blockIdx.x * std::size_t(blockDim.x) + threadIdx.x; i < words;
         i += std::size_t(gridDim.x) * blockDim.x) {
        std::uint32_t x = static_cast<std::uint32_t>(i) * 2654435761u + 12345u;
        x = (x ^ (x >> 15)) * 0x2c1b3c6du;
        x = (x ^ (x >> 12)) * 0x297a2d39u;
        data[i] = __uint_as_float(0x3f800000u | ((x ^ (x >> 15)) & 0x7fffffu));
    }
}

// The arguments as cudaLaunchKernel takes them; arrays are cut from the pool in order.
class Arguments {
public:
    Arguments(const std::string& text, float* pool) {
        std::size_t used = 0;
        for (std::size_t at = 0; at <= text.size();) {
            const std::size_t end = std::min(text.find('|', at), text.size());
            add(text.substr(at, end - at), pool, used);
            at = end + 1;
        }
        for (auto& value : values_) {
            pointers_.push_back(&value);
        }
    }
    [[nodiscard]] void** data() { return pointers_.data(); }

private:
    void add(const std::string& word, float* pool, std::size_t& used) {
        std::uint64_t value = 0;  // the low bytes are the argument
        if (word.rfind("ptr:", 0) == 0) {
            value = reinterpret_cast<std::uint64_t>(pool + used);
            used += std::stoull(word.substr(4)) << 18;
            if (used > pool_words) {
                throw std::logic_error("arrays of " + word + " do not fit");
            }
        } else if (word.back() == 'f') {
            const float number = std::stof(word);
            memcpy(&value, &number, sizeof number);
        } else {
            value = static_cast<std::uint32_t>(std::stoll(word));
        }
        values_.push_back(value);
    }

    std::vector<std::uint64_t> values_;
    std::vector<void*> pointers_;
};

std::string three(const dim3& d) {
    return std::to_string(d.x) + "|" + std::to_string(d.y) + "|" + std::to_string(d.z);
}

std::string params_of(const MemoryLaunch& launch) {
    return "GRID=" + three(launch.grid) + ";BLOCK=" + three(launch.block) +
           ";SHARED=" + std::to_string(launch.shared) + ";ARGS=" + launch.args;
}

const void* kernel_of(const MemoryLaunch& launch) {
    const void* kernel = memory_kernel(launch.entry);
    if (launch.shared > 48 * 1024) {
        measure::require(
            cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, launch.shared),
            "shared");
    }
    return kernel;
}

void launch_once(const MemoryLaunch& launch, float* pool) {
    cudaLaunchKernel(kernel_of(launch), launch.grid, launch.block, Arguments(launch.args, pool).data(),
                     static_cast<std::size_t>(launch.shared), nullptr);
    finish(launch.entry.c_str());
}

std::vector<double> time_launches(const MemoryLaunch& launch, float* pool) {
    static const std::vector<cudaEvent_t> events = [] {
        std::vector<cudaEvent_t> list(most_launches + 1);
        for (auto& event : list) {
            measure::require(cudaEventCreate(&event), "cudaEventCreate");
        }
        return list;
    }();
    const void* kernel = kernel_of(launch);
    Arguments arguments(launch.args, pool);
    const auto run = [&](int launches) {
        cudaEventRecord(events[0]);
        for (int i = 1; i <= launches; ++i) {
            cudaLaunchKernel(kernel, launch.grid, launch.block, arguments.data(),
                             static_cast<std::size_t>(launch.shared), nullptr);
            cudaEventRecord(events[static_cast<std::size_t>(i)]);
        }
        finish(launch.entry.c_str());
        std::vector<double> times;
        for (int i = 0; i < launches; ++i) {
            float milliseconds = 0;
            const auto at = static_cast<std::size_t>(i);
            cudaEventElapsedTime(&milliseconds, events[at], events[at + 1]);
            times.push_back(1e3 * double(milliseconds));
        }
        return times;
    };
    const double us = run(2).back();
    return run(us > 3e3 ? 7 : most_launches);
}

}  // namespace

void memory_launches(const Device&, Recorder& recorder) {
    const DeviceArray<float> pool(pool_words);
    randomise<<<1056, 256>>>(pool.data(), pool_words);
    finish("random words");
    if (recorder.once()) {
        for (const auto& launch : held_back_launches()) {
            recorder.add({launch.entry, params_of(launch), "", ""}, {});
            launch_once(launch, pool.data());
        }
        return;
    }
    for (const auto& list : {held_back_launches(), stream_launches(), chain_launches()}) {
        for (const auto& launch : list) {
            const std::string params = params_of(launch);
            if (recorder.wanted(launch.entry, params)) {
                recorder.add({launch.entry, params, "time_us", ""}, time_launches(launch, pool.data()));
            }
        }
    }
}

}  // namespace gpumodel::microbench
