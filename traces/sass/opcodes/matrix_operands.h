// Operands of matrix products and of moves of 8x8 matrices (tensor instructions of a warp).
#pragma once

#include <optional>

#include "traces/instruction.h"
#include "traces/sass/sass_module.h"

namespace gpumodel {

inline constexpr int matrix_row_bytes = 16;  // a row of an 8x8 matrix of 16-bit values

// LDSM and STSM: 1, 2 or 4; the first 8 lanes per matrix name its rows.
[[nodiscard]] int matrix_count(const SassInstruction& instruction);

// Registers that D, A, B and C span. Needs the instruction's class.
// Source: one-instruction PTX kernels through ptxas 11.8 (sm_70 to sm_90) and 13.0.
void set_matrix_widths(SassInstruction& instruction);

// Products of a warp group, four warps with 16 rows of A each:
//   HGMMA.64x64x16.F32 R24, gdesc[UR4].tnspB, R24, UP0, gsb0      A, B by descriptors in UR4:5, UR6:7
//   HGMMA.64x64x16.F32 R24, R56, gdesc[UR4], R24, UP0, gsb0       A in R56 ... R59, B by UR6:7
// UP0: whether the old sums count; gsb0: the last of its group.
struct GroupShape {
    int n = 0, k = 0;
};
[[nodiscard]] std::optional<GroupShape> group_shape(const SassInstruction& instruction);
[[nodiscard]] bool is_matrix_descriptor(const SassOperand& operand);
// Widths of the operands, and operations per lane (of integers none). The instruction has its effect.
void set_group_widths(SassInstruction& instruction);
// What the timing models want of products, and of WARPGROUP.DEPBAR.
[[nodiscard]] GroupProduct group_product(const SassInstruction& instruction);

}  // namespace gpumodel
