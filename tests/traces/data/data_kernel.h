// Launches of the kernels in listings/data_kernels.cu.
#pragma once

#include <string>
#include <vector>

#include "traces/emulate/sass_block_source.h"

namespace gpumodel::data_tests {

inline const std::vector<std::string> listing_archs{"sm_35", "sm_50", "sm_61",  "sm_70",
                                                    "sm_80", "sm_90", "sm_100", "sm_120"};

[[nodiscard]] const SassFunction& data_kernel(const std::string& arch, const std::string& kernel);

[[nodiscard]] SassLaunch launch_of(const Dim3& grid, const Dim3& block, const std::string& arguments);

// Marks of all blocks, and the notes.
struct Executed {
    std::vector<UnknownData> marks;
    std::vector<std::string> notes;
};
[[nodiscard]] Executed execute(const SassFunction& function, const SassLaunch& launch);

}  // namespace gpumodel::data_tests
