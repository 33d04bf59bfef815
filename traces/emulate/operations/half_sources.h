// Sources of instructions on pairs of halves: which half, with which signs.
#pragma once

#include "traces/emulate/operations/half.h"
#include "traces/emulate/operations/lane_operations.h"

namespace gpumodel::emulate {

// MicroOp::immediate: these bits for each source.
inline constexpr u32 half_source_bits = 5;
inline constexpr u32 both_low_bit = 1, both_high_bit = 2;  // .H0_H0, .H1_H1
inline constexpr u32 negative_bit = 4, absolute_bit = 8;
inline constexpr u32 single_bit = 16;  // .F32: a float stands for both

inline u32 half_source(const MicroOp& op, std::size_t k) {
    return static_cast<u32>(op.immediate >> (half_source_bits * k)) & 0x1fU;
}

// 16 bits of a source, 0 the lower, without signs.
inline u32 plain_half(u32 word, int part, u32 source) {
    const bool upper = (source & both_high_bit) != 0 || (part == 1 && (source & both_low_bit) == 0);
    return upper ? word >> 16 : word & 0xffffU;
}

inline u32 signed_half(u32 word, int part, u32 source) {
    u32 bits = plain_half(word, part, source);
    bits = (source & absolute_bit) != 0 ? bits & ~half_sign : bits;
    return (source & negative_bit) != 0 ? bits ^ half_sign : bits;
}

}  // namespace gpumodel::emulate
