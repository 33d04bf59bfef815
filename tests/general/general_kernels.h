// The kernels of validate/general: listings and one measured launch of each.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "traces/kernel_program.h"

namespace gpumodel {

struct GeneralLaunch {
    std::string kernel;
    Dim3 grid, block;
    std::int64_t shared_bytes = 0;
    std::string args;
    std::map<std::string, double> measured;  // counters of an H200 under Nsight Compute's names
};

// validate/general/h200_sxm.csv
const std::vector<GeneralLaunch>& general_launches();

// The launch, executed from the listing of `arch` ("sm_90").
KernelProgram general_program(const GeneralLaunch& launch, const std::string& arch);

}  // namespace gpumodel
