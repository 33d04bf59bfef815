#include <ctime>
#include <fstream>

#include "validate/measure/device_info.cuh"

namespace gpumodel::measure {
namespace {

int attribute(cudaDeviceAttr which) {
    int value = 0;
    require(cudaDeviceGetAttribute(&value, which, 0), "cudaDeviceGetAttribute");
    return value;
}

// "580.159.04", from the kernel module where it says so, else the CUDA version that the driver supports.
std::string driver_version() {
    std::ifstream file("/proc/driver/nvidia/version");
    std::string word;
    while (file >> word) {
        if (word.find_first_not_of("0123456789.") == std::string::npos &&
            word.find('.') != std::string::npos) {
            return word;
        }
    }
    int version = 0;
    require(cudaDriverGetVersion(&version), "cudaDriverGetVersion");
    return "CUDA " + std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10);
}

std::string decimal(double value) {
    char text[32];
    std::snprintf(text, sizeof text, "%.1f", value);
    return text;
}

std::string date() {
    const std::time_t now = std::time(nullptr);
    char text[32];
    std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", std::gmtime(&now));
    return text;
}

}  // namespace

microbench::Device current_device() {
    cudaDeviceProp properties{};
    require(cudaGetDeviceProperties(&properties, 0), "no usable GPU");
    microbench::Device device;
    device.compute_capability = 10 * properties.major + properties.minor;
    device.sm_count = properties.multiProcessorCount;
    device.l2_bytes = properties.l2CacheSize;
    device.max_shared_per_block = attribute(cudaDevAttrMaxSharedMemoryPerBlockOptin);
    device.memory_bytes = properties.totalGlobalMem;
    microbench::measure_clock(8 * device.sm_count);  // wakes the GPU up
    device.clock_hz = microbench::measure_clock(8 * device.sm_count);
    return device;
}

Metadata describe(const microbench::Device& device, const std::string& suite) {
    cudaDeviceProp properties{};
    require(cudaGetDeviceProperties(&properties, 0), "cudaGetDeviceProperties");
    return {
        {"gpu", properties.name},
        {"sm", "sm_" + std::to_string(device.compute_capability)},
        {"sm_count", std::to_string(device.sm_count)},
        {"memory_mib", std::to_string(device.memory_bytes >> 20)},
        {"memory_clock_mhz", decimal(attribute(cudaDevAttrMemoryClockRate) * 1e-3)},
        {"memory_bus_bits", std::to_string(attribute(cudaDevAttrGlobalMemoryBusWidth))},
        {"l2_kib", std::to_string(device.l2_bytes >> 10)},
        {"driver", driver_version()},
        {"toolkit", std::to_string(CUDART_VERSION / 1000) + "." + std::to_string(CUDART_VERSION % 1000 / 10)},
        {"clock_mhz", decimal(device.clock_hz * 1e-6)},
        {"clock_mhz_maximum", decimal(attribute(cudaDevAttrClockRate) * 1e-3)},
        {"date", date()},
        {"suite", suite}};
}

}  // namespace gpumodel::measure
