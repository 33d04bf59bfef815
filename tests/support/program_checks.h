// Runs a program on the host and compares it with its definition, computed here from the matrices alone.
#pragma once

#include <string>
#include <vector>

#include "tests/support/host_reference.h"
#include "traces/kernel/family.h"

namespace gpumodel::test {

// sm_70's limits with another compute capability.
[[nodiscard]] Target target_sm(int cc);

// The program, or a failed test with the reason.
[[nodiscard]] KernelProgram program_of(const std::string& family, const ParamValues& params,
                                       const ProblemShape& shape, int cc = 70);
// The reason why there is none.
[[nodiscard]] std::string rejection(const std::string& family, const ParamValues& params,
                                    const ProblemShape& shape, int cc = 70);

// Everything that is wrong with the program's result on random inputs: faults of the run, results that
// differ from the double-precision definition, elements not written exactly once. Empty = right.
[[nodiscard]] std::vector<std::string> wrongs_of(const KernelProgram& program, const ParamValues& params);

}  // namespace gpumodel::test
