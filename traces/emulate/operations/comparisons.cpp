#include "traces/emulate/operations/comparisons.h"

#include <cmath>

namespace gpumodel::emulate {

namespace {

// First result: comparison joined with the accumulated predicate; second: its opposite, likewise.
void set_results(Warp& warp, const MicroOp& op, u32 holds, u32 mask) {
    const u32 accumulated = warp.predicate(op.predicate_from[0]);
    warp.set_predicate(op.predicate_to[0], joined(holds, accumulated, join_of(op)), mask);
    warp.set_predicate(op.predicate_to[1], joined(~holds, accumulated, join_of(op)), mask);
}

template <auto F>
void compare_integers(Warp& warp, const MicroOp& op, u32 mask) {
    set_results(warp, op, lanes_where<F>(from(warp, op, 0), from(warp, op, 1)), mask);
}

template <auto Signed, auto Unsigned>
Handler pick(bool is_unsigned) {
    return is_unsigned ? &compare_integers<Unsigned> : &compare_integers<Signed>;
}

constexpr bool less(u32 a, u32 b) {
    return a < b;
}
constexpr bool less_equal(u32 a, u32 b) {
    return a <= b;
}
constexpr bool greater(u32 a, u32 b) {
    return a > b;
}
constexpr bool greater_equal(u32 a, u32 b) {
    return a >= b;
}
constexpr bool less_signed(u32 a, u32 b) {
    return as_signed(a) < as_signed(b);
}
constexpr bool less_equal_signed(u32 a, u32 b) {
    return as_signed(a) <= as_signed(b);
}
constexpr bool greater_signed(u32 a, u32 b) {
    return as_signed(a) > as_signed(b);
}
constexpr bool greater_equal_signed(u32 a, u32 b) {
    return as_signed(a) >= as_signed(b);
}

// A three-way result against one of the six comparisons.
bool holds(Compare compare, bool below, bool equal) {
    switch (compare) {
        case Compare::lt:
            return below;
        case Compare::le:
            return below || equal;
        case Compare::gt:
            return !below && !equal;
        case Compare::ge:
            return !below;
        case Compare::eq:
            return equal;
        case Compare::ne:
            return !equal;
        case Compare::always:
            return true;
        case Compare::never:
        case Compare::num:
        case Compare::nan:
            break;
    }
    return false;
}

template <class Real>
bool compare_reals(Compare compare, Real a, Real b, bool unordered) {
    return real_comparison(compare, unordered, std::isnan(a) || std::isnan(b), a < b, a == b);
}

}  // namespace

bool real_comparison(Compare compare, bool unordered, bool is_nan, bool below, bool equal) {
    if (compare == Compare::num || compare == Compare::nan) {
        return is_nan == (compare == Compare::nan);
    }
    if (compare == Compare::always || compare == Compare::never) {
        return compare == Compare::always;
    }
    return is_nan ? unordered : holds(compare, below, equal);
}

Handler integer_handler(Compare compare, bool is_unsigned) {
    switch (compare) {
        case Compare::lt:
            return pick<less_signed, less>(is_unsigned);
        case Compare::le:
            return pick<less_equal_signed, less_equal>(is_unsigned);
        case Compare::gt:
            return pick<greater_signed, greater>(is_unsigned);
        case Compare::ge:
            return pick<greater_equal_signed, greater_equal>(is_unsigned);
        case Compare::eq:
            return &compare_integers<[](u32 a, u32 b) { return a == b; }>;
        case Compare::ne:
            return &compare_integers<[](u32 a, u32 b) { return a != b; }>;
        case Compare::always:
            return &compare_integers<[](u32, u32) { return true; }>;
        case Compare::never:
        case Compare::num:
        case Compare::nan:
            break;
    }
    return &compare_integers<[](u32, u32) { return false; }>;
}

// Upper words of 64-bit operands; the lower words were compared the same way, unsigned, before (.EX).
void compare_upper_words(Warp& warp, const MicroOp& op, u32 mask) {
    const auto& a = from(warp, op, 0);
    const auto& b = from(warp, op, 1);
    const auto compare = static_cast<Compare>(op.option & 0xffU);
    const bool is_unsigned = (op.option & unsigned_bit) != 0;
    const u32 lower = warp.predicate(op.predicate_from[1]);
    u32 result = 0;
    for (std::size_t i = 0; i < lane_count; ++i) {
        const u32 x = a.at[i], y = b.at[i];
        const bool below = is_unsigned ? x < y : as_signed(x) < as_signed(y);
        const bool decided = x != y ? holds(compare, below, false) : bit_of(lower, i) != 0;
        result |= decided ? lane_bit[i] : 0;
    }
    set_results(warp, op, result, mask);
}

// Kepler: the lower words were subtracted before; their borrow and zero flag stand in the condition code.
void compare_with_flags(Warp& warp, const MicroOp& op, u32 mask) {
    const auto& a = from(warp, op, 0);
    const auto& b = from(warp, op, 1);
    const auto compare = static_cast<Compare>(op.option & 0xffU);
    const bool is_unsigned = (op.option & unsigned_bit) != 0;
    const u32 carry = warp.predicates[carry_flag];
    const u32 zero = warp.predicates[zero_flag];
    u32 result = 0;
    for (std::size_t i = 0; i < lane_count; ++i) {
        const auto wide = [&](u32 x) { return is_unsigned ? static_cast<i64>(x) : sign_extend(x); };
        const i64 difference = wide(a.at[i]) - wide(b.at[i]) - (bit_of(carry, i) != 0 ? 0 : 1);
        const bool equal = difference == 0 && bit_of(zero, i) != 0;
        result |= holds(compare, difference < 0, equal) ? lane_bit[i] : 0;
    }
    set_results(warp, op, result, mask);
}

void compare_pairs(Warp& warp, const MicroOp& op, u32 mask) {
    const auto compare = static_cast<Compare>(op.option & 0xffU);
    const bool is_unsigned = (op.option & unsigned_bit) != 0;
    u32 result = 0;
    for (std::size_t i = 0; i < lane_count; ++i) {
        const u64 a = join(from(warp, op, 0).at[i], from(warp, op, 1).at[i]);
        const u64 b = join(from(warp, op, 2).at[i], from(warp, op, 3).at[i]);
        const bool below = is_unsigned ? a < b : static_cast<i64>(a) < static_cast<i64>(b);
        result |= holds(compare, below, a == b) ? lane_bit[i] : 0;
    }
    set_results(warp, op, result, mask);
}

void compare_floats(Warp& warp, const MicroOp& op, u32 mask) {
    const auto& a = from(warp, op, 0);
    const auto& b = from(warp, op, 1);
    u32 result = 0;
    for (std::size_t i = 0; i < lane_count; ++i) {
        const auto number = [&](u32 bits) {
            const float value = as_float(bits);
            const bool zero = (op.option & flush_bit) != 0 && std::fpclassify(value) == FP_SUBNORMAL;
            return zero ? 0.0F : value;
        };
        const bool set = compare_reals(static_cast<Compare>(op.option & 0xffU), number(a.at[i]),
                                       number(b.at[i]), (op.option & unordered_bit) != 0);
        result |= set ? lane_bit[i] : 0;
    }
    set_results(warp, op, result, mask);
}

void compare_doubles(Warp& warp, const MicroOp& op, u32 mask) {
    u32 result = 0;
    for (std::size_t i = 0; i < lane_count; ++i) {
        const auto source = [&](std::size_t k) {
            return as_double(from(warp, op, k).at[i], from(warp, op, k + 1).at[i]);
        };
        const bool set = compare_reals(static_cast<Compare>(op.option & 0xffU), source(0), source(2),
                                       (op.option & unordered_bit) != 0);
        result |= set ? lane_bit[i] : 0;
    }
    set_results(warp, op, result, mask);
}

}  // namespace gpumodel::emulate
