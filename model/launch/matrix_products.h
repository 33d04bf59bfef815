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

// What a launch with products of warp groups does, on average of its SMs and its time.
struct ProductLoad {
    double fill = 0;      // part of the time in which they keep the tensor pipes at work
    double sm_bytes = 0;  // that come into one SM
    double cycles = 0;    // of the launch
};

// The same clock under that load:
//   min(launch_clock, clock.tensor * (1 - (droop * fill^1.5 + per_byte * rate - spared) * (1 - delay /
//   time)))
// with sm.group_products.clock_droop (or clock_droop_bf16, _tf32, _int8), _per_byte, _spared, _delay and the
// rate in bytes per cycle of clock.sm; at most launch_clock. Operands are taken to be random; with zeros the
// clock does not droop (a clock_droop of 0).
[[nodiscard]] double drooping_clock(const ArchSpec& arch, const KernelProgram& program,
                                    const ProductLoad& load);

}  // namespace gpumodel
