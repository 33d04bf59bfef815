// Operands of matrix products and of moves of 8x8 matrices (tensor instructions of a warp).
#pragma once

#include "traces/sass/sass_module.h"

namespace gpumodel {

inline constexpr int matrix_row_bytes = 16;  // a row of an 8x8 matrix of 16-bit values

// LDSM and STSM: 1, 2 or 4; the first 8 lanes per matrix name its rows.
[[nodiscard]] int matrix_count(const SassInstruction& instruction);

// Registers that D, A, B and C span. Needs the instruction's class.
// Source: one-instruction PTX kernels through ptxas 11.8 (sm_70 to sm_90) and 13.0.
void set_matrix_widths(SassInstruction& instruction);

}  // namespace gpumodel
