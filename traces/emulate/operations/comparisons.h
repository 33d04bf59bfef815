// Comparisons of single lanes, joined with a predicate.
#pragma once

#include "traces/emulate/operations/lane_operations.h"

namespace gpumodel::emulate {

enum class Compare : unsigned char { lt, eq, le, gt, ne, ge, never, always, num, nan };
enum class Join : unsigned char { with_and, with_or, with_xor };

// MicroOp::option: the comparison, the join, and whether unordered operands compare true.
inline constexpr u32 join_shift = 8;
inline constexpr u32 unordered_bit = 1U << 16;
inline constexpr u32 unsigned_bit = 1U << 17;
inline constexpr u32 flush_bit = 1U << 18;  // subnormal numbers compare as zeros (.FTZ)

inline u32 joined(u32 a, u32 b, Join join) {
    return join == Join::with_and ? a & b : join == Join::with_or ? a | b : a ^ b;
}

inline Join join_of(const MicroOp& op) {
    return static_cast<Join>(op.option >> join_shift & 3U);
}

// What a comparison of real numbers says; `unordered`: that of numbers with a NaN, `is_nan`, is true.
[[nodiscard]] bool real_comparison(Compare compare, bool unordered, bool is_nan, bool below, bool equal);

// Handlers: sources 0 and 1 (doubles: pairs 0, 1 and 2, 3), predicate source 0 is joined in. First predicate
// result: the comparison joined with it; second: the opposite of the comparison, likewise.
[[nodiscard]] Handler integer_handler(Compare compare, bool is_unsigned);
// Upper words of 64-bit operands (.EX); predicate source 1 says how the lower words compared.
void compare_upper_words(Warp& warp, const MicroOp& op, u32 mask);
// Kepler: upper words after a subtraction of the lower ones that set the condition code.
void compare_with_flags(Warp& warp, const MicroOp& op, u32 mask);
// Pairs 0, 1 and 2, 3 as 64-bit integers.
void compare_pairs(Warp& warp, const MicroOp& op, u32 mask);
void compare_floats(Warp& warp, const MicroOp& op, u32 mask);
void compare_doubles(Warp& warp, const MicroOp& op, u32 mask);

}  // namespace gpumodel::emulate
