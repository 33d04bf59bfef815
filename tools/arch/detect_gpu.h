// The GPUs of this machine, as the CUDA driver describes them. The driver's library is opened when asked for:
// neither the build nor any other command needs it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tools/arch/new_arch.h"

namespace gpumodel::cli {

struct DetectedGpu {
    std::string name;    // "NVIDIA GeForce RTX 4090"
    int capability = 0;  // 89
    int sm_count = 0;
    double sm_hz = 0;      // highest SM clock
    double memory_hz = 0;  // DRAM clock; two bits per pin and cycle
    int bus_width_bits = 0;
    std::int64_t l2_bytes = 0;
    std::int64_t memory_bytes = 0;
    bool ecc = false;
};

// `library`: "libcuda.so.1" or a path. Throws InputError (invalid input) where there is no driver, no GPU, or
// the driver fails, with its error number.
[[nodiscard]] std::vector<DetectedGpu> detect_gpus(const std::string& library);

// The file for it: from the product of that name if it has as many SMs (then only what differs by more than 5
// %, as clocks are rounded and efficiencies were measured against the data sheet), else from the generation
// with all that the driver says. `name` = "": made from the GPU's.
[[nodiscard]] NewArch arch_of_detected(const DetectedGpu& gpu, const std::string& name);
// The same from a product or generation that the user names: all that the driver says replaces its figures.
[[nodiscard]] NewArch arch_of_detected(const DetectedGpu& gpu, const std::string& name,
                                       const std::string& from);

// Which benchmarks of gpumodel-measure would replace which estimates of the spec at `path`.
[[nodiscard]] std::string measurable_estimates(const std::string& path);

}  // namespace gpumodel::cli
