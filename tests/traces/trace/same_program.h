// Are two programs equal, as far as a consumer can see? Access functions are compared by calling them.
#pragma once

#include <string>

#include "traces/kernel_program.h"

namespace gpumodel {

// "" or the first difference. Every thread and word of every site is asked at the corners of each variant and
// of the loops around the site, and at points in between that `seed` chooses.
[[nodiscard]] std::string difference(const KernelProgram& a, const KernelProgram& b, unsigned seed);

}  // namespace gpumodel
