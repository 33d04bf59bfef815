// What a measured table says about the GPU it was measured on.
#pragma once

#include "validate/measure/csv_output.h"
#include "validate/microbench/microbench.cuh"

namespace gpumodel::measure {

// The first GPU; ends the program if there is none. Measures the SM clock under load.
[[nodiscard]] microbench::Device current_device();

// gpu, sm, sm_count, memory, l2, driver, toolkit, clock_mhz (under load), clock_mhz_maximum, date (UTC),
// suite.
[[nodiscard]] Metadata describe(const microbench::Device& device, const std::string& suite);

}  // namespace gpumodel::measure
