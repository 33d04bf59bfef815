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

// The SM clock in Hz while it runs, as a short series of launches finds it: clock.sm, or what the run was
// held to (Clocks::most_hz), at most clock.tensor (where the spec has one) if it executes matrix products
// other than FP64's. Ignored: that other launches within half a millisecond of such a one run at its clock.
[[nodiscard]] double launch_clock(const ArchSpec& arch, const KernelProgram& program);

// The same where warp groups' products keep the tensor pipes at work for the part `fill` of all SMs' time:
//   min(launch_clock, clock.tensor * (1 - droop * fill^1.5))
// with sm.group_products.clock_droop (or clock_droop_bf16, _tf32, _int8). The exponent is that of loops of
// products with pauses. Operands are taken to be random; with zeros the clock does not droop.
[[nodiscard]] double drooping_clock(const ArchSpec& arch, const KernelProgram& program, double fill);

}  // namespace gpumodel
