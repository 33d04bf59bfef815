// Handlers of tensor instructions: products of small matrices whose elements lie across the lanes of a warp,
// and moves of 8x8 matrices of 16-bit values.
//
// Layouts: PTX ISA, "matrix fragments". An 8-row block of A holds row l/4 in lanes l, elements of lane l % 4
// side by side along K; B the same with columns; the accumulator's row l/4, columns 2 (l % 4) and the next.
//
// Rounding. Products and their sum are exact (in double precision, which holds the products of all types
// exactly), the result is rounded once: f32 towards zero, f16 to nearest even, integers wrap or saturate, f64
// one fused multiply-add per k in ascending order. The hardware aligns the addends of a block of k (4 on
// sm_70, 8 on sm_80, 16 on sm_90) to the largest one, keeps two or three bits below its last place and cuts
// off (Fasi et al. 2021, "Numerical behavior of NVIDIA tensor cores"): it may differ by a unit in the last
// place of the block's largest addend for each block of k.
#pragma once

#include "traces/emulate/run/machine.h"

namespace gpumodel::emulate {

enum class TensorElement : unsigned char { f16, bf16, tf32, s8, u8, s4, u4, b1_and, b1_xor };
enum class TensorSum : unsigned char { f32, f16, s32, s32_saturated };

// What multiply_rows() does, as it stands in `option`.
struct TensorProduct {
    TensorElement a = TensorElement::f16, b = TensorElement::f16;
    TensorSum sum = TensorSum::f32;
    [[nodiscard]] constexpr std::uint32_t packed(int chunks) const {
        return static_cast<std::uint32_t>(a) | static_cast<std::uint32_t>(b) << 8 |
               static_cast<std::uint32_t>(sum) << 16 | static_cast<std::uint32_t>(chunks) << 24;
    }
};

// Eight rows of A times B: sources 0, 1 A and 2, 3 B (chunks of 128 bits along K, one register each), 4 and 5
// the accumulator (f16: 4 alone); results 0 and 1.
void multiply_rows(Warp& warp, const MicroOp& op, std::uint32_t mask);
// Rows of A of four doubles: sources 0-1, 2-3, 4-5 one number of A, B and the accumulator; `option` = 0 or 1:
// the accumulator's column.
void multiply_doubles(Warp& warp, const MicroOp& op, std::uint32_t mask);
// One step of HMMA.884: four products of 8x4 by 4x8 halves in the quad pairs {4q ... 4q+3, 16+4q ... 19+4q}.
// Sources 0-1, 2-3, 4-5 A, B and the accumulator.
inline constexpr std::uint32_t quad_pair_a_columns = 0x100, quad_pair_b_columns = 0x200,
                               quad_pair_f16 = 0x400;
void multiply_quad_pairs(Warp& warp, const MicroOp& op, std::uint32_t mask);  // `option`: the step and these

// LDSM: register `option` of the result, from the rows that lanes 8 option ... name.
inline constexpr std::uint32_t matrix_transposed = 0x100;
void load_matrix(Warp& warp, const MicroOp& op, std::uint32_t mask);
// STSM: source 4 to the rows that lanes 8 option ... name.
void store_matrix(Warp& warp, const MicroOp& op, std::uint32_t mask);
// MOVM: an 8x8 matrix in one register of the warp.
void transpose_matrix(Warp& warp, const MicroOp& op, std::uint32_t mask);

}  // namespace gpumodel::emulate
