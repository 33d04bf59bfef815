// predict --section bank: which lanes meet in which bank, for each access to shared memory that looks
// different.
#pragma once

#include <string>

#include "arch_specs/arch_spec.h"
#include "traces/kernel_program.h"

namespace gpumodel::cli {

inline constexpr const char* bank_pictures_title = "Bank pictures";

// A section of the text report that stands in it on request alone: of each site the warp access with the most
// passes, as the pages of `report` draw it (tools/report/site_access.h).
[[nodiscard]] std::string bank_pictures(const KernelProgram& program, const ArchSpec& arch);

}  // namespace gpumodel::cli
