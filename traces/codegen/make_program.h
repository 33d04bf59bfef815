// A family's launch as what a GPU executes: the one way from a kernel family to a KernelProgram. Lowers the
// family's tiles (traces/kernel) and generates their code (generate.h).
#pragma once

#include <functional>

#include "traces/kernel/family.h"

namespace gpumodel {

// What a launch fixes instead of the family, registers or shared memory: the code is made for it. May throw.
using ResourceChoice = std::function<void(KernelProgram&)>;

// `resolved` by resolve_params. Infeasible: the rule that rejects the combination.
[[nodiscard]] FamilyResult make_program(const Family& family, const ParamValues& resolved,
                                        const ProblemShape& shape, const Target& target,
                                        const ResourceChoice& choose = {});

}  // namespace gpumodel
