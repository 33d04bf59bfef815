// Matrix products of a launch, and the clock that they leave it.
#pragma once

#include <array>

#include "arch_specs/arch_spec.h"
#include "traces/kernel_program.h"

namespace gpumodel {

// Tensor classes (OpGroup::tensor) that it executes, by op class.
using TensorClasses = std::array<bool, op_class_count>;
[[nodiscard]] TensorClasses tensor_classes(const KernelProgram& program);

[[nodiscard]] bool executes_matrix_products(const KernelProgram& program);

// The SM clock in Hz while it runs: clock.sm, at most clock.tensor (where the spec has one) if it executes
// matrix products other than FP64's. Ignored: that long series of launches meet the board's power limit, and
// that other launches within half a millisecond of such a one run at its clock.
[[nodiscard]] double launch_clock(const ArchSpec& arch, const KernelProgram& program);

}  // namespace gpumodel
