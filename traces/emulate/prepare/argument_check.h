// --args against what the kernel's code and, where the listing was made with -elf, its description say of its
// parameters.
#pragma once

#include <vector>

#include "base/diagnostics.h"
#include "traces/emulate/prepare/constant_bank.h"
#include "traces/emulate/prepare/kernel_arguments.h"
#include "traces/sass/sass_module.h"

namespace gpumodel::emulate {

// With a description: each parameter of 4 or 8 bytes (others are structures, which arguments may make up
// piece by piece) must be one argument of that size at that place, and no argument may lie beyond the last.
// Without: reads of parameters that --args does not give, and pointers of which the code reads the lower word
// only, as it reads an int.
[[nodiscard]] std::vector<Diagnostic> check_arguments(const SassFunction& function, KernelArguments arguments,
                                                      const ConstantBank& bank);

}  // namespace gpumodel::emulate
