// Which spec keys a launch's time can depend on at all, so that no simulation is spent on the others.
#pragma once

#include <string>
#include <vector>

#include "arch_specs/arch_spec.h"
#include "arch_specs/schema/schema.h"
#include "traces/kernel_program.h"

namespace gpumodel {

// False for keys that neither model reads (ratings, what the maker declares) and for the rates of opcode
// classes and pipes that the program does not use.
[[nodiscard]] bool can_matter(const Field& field, const KernelProgram& program, const ArchSpec& arch);

// Keys that both models read through the number of resident blocks only (model/launch/occupancy.h): where
// that and the shared memory set aside do not change, nothing does.
[[nodiscard]] bool acts_by_occupancy(const Field& field);
[[nodiscard]] bool same_occupancy(const KernelProgram& program, const ArchSpec& a, const ArchSpec& b);

}  // namespace gpumodel
