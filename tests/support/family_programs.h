// Kernel families as instruction-level programs, for tests of what lies above the families.
#pragma once

#include <string>

#include "arch_specs/arch_spec.h"
#include "traces/kernel/family.h"

namespace gpumodel::test {

// Generated code of the family with these parameters (the rest at their defaults), or a failed test.
[[nodiscard]] KernelProgram family_program(const std::string& name, const ArchSpec& arch,
                                           const ProblemShape& shape, const ParamValues& params = {});

}  // namespace gpumodel::test
