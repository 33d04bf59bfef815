// The documented launch limits of every compute capability (CUDA programming guides and occupancy header),
// typed in by hand: what the shipped specs must say.
#pragma once

#include <vector>

#include "arch_specs/arch_spec.h"

namespace gpumodel::test {

// Compute capabilities of the table, as 10 * major + minor.
[[nodiscard]] std::vector<int> documented_capabilities();

// Only the fields that occupancy reads are filled.
[[nodiscard]] ArchSpec documented_arch(int capability);

// The shipped spec of the generation, loaded once.
[[nodiscard]] const ArchSpec& arch_of(int capability);

}  // namespace gpumodel::test
