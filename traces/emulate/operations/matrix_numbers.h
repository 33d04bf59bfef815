// Numbers of matrix products: what a field of bits stands for in each type, and how sums are kept and rounded
// (tensor_operations.h).
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "traces/emulate/operations/half.h"
#include "traces/emulate/operations/lane_operations.h"
#include "traces/emulate/operations/tensor_operations.h"

namespace gpumodel::emulate {

constexpr std::size_t matrix_rows = 8, lanes_per_row = 4;
constexpr std::size_t most_k = 64;  // of types that are not single bits

constexpr int bits_of(TensorElement element) {
    switch (element) {
        case TensorElement::tf32:
            return 32;
        case TensorElement::f16:
        case TensorElement::bf16:
            return 16;
        case TensorElement::s8:
        case TensorElement::u8:
            return 8;
        case TensorElement::s4:
        case TensorElement::u4:
            return 4;
        case TensorElement::b1_and:
        case TensorElement::b1_xor:
            return 1;
    }
    return 32;
}

inline double signed_field(u32 field, u32 bits) {
    return static_cast<double>(as_signed(field << (32 - bits)) >> (32 - bits));
}

// `field`: the element's bits alone.
inline double value_of(u32 field, TensorElement element) {
    constexpr u32 tf32_bits = 0xffffe000U;  // the multiplier sees ten bits of the fraction
    switch (element) {
        case TensorElement::f16:
            return from_half(field);
        case TensorElement::bf16:
            return as_float(field << 16);
        case TensorElement::tf32:
            return as_float(field & tf32_bits);
        case TensorElement::s8:
        case TensorElement::s4:
            return signed_field(field, static_cast<u32>(bits_of(element)));
        case TensorElement::u8:
        case TensorElement::u4:
        case TensorElement::b1_and:
        case TensorElement::b1_xor:
            break;
    }
    return field;
}

inline u32 whole_sum(double value, bool saturated) {
    constexpr double least = std::numeric_limits<i32>::min(), most = std::numeric_limits<i32>::max();
    return low_word(static_cast<u64>(static_cast<i64>(saturated ? std::clamp(value, least, most) : value)));
}

using Row = std::array<double, most_k>;

// Rows of A, or columns of B; what lies beyond k is not set.
struct Block {
    std::array<Row, matrix_rows> rows;
    std::size_t k = 0;
};

inline double dot(const Row& a, const Row& b, std::size_t k, double sum) {
    for (std::size_t i = 0; i < k; ++i) {
        sum += a[i] * b[i];
    }
    return sum;
}

inline u32 half_of(u32 word, std::size_t i) {
    return word >> (16 * i) & 0xffffU;
}

inline u32 pack_halves(double low, double high) {
    return nearest_half(low) | nearest_half(high) << 16;
}

inline double old_sum(const Warp& warp, const MicroOp& op, TensorSum sum, std::size_t lane,
                      std::size_t column) {
    switch (sum) {
        case TensorSum::f16:
            return from_half(half_of(from(warp, op, 4).at[lane], column));
        case TensorSum::f32:
            return as_float(from(warp, op, 4 + column).at[lane]);
        case TensorSum::s32:
        case TensorSum::s32_saturated:
            break;
    }
    return as_signed(from(warp, op, 4 + column).at[lane]);
}

inline void set_sums(Lanes& first, Lanes& second, TensorSum sum, std::size_t lane,
                     const std::array<double, 2>& sums) {
    switch (sum) {
        case TensorSum::f16:
            first.at[lane] = pack_halves(sums[0], sums[1]);
            return;
        case TensorSum::f32:
            first.at[lane] = float_bits(towards_zero(sums[0]));
            second.at[lane] = float_bits(towards_zero(sums[1]));
            return;
        case TensorSum::s32:
        case TensorSum::s32_saturated:
            break;
    }
    first.at[lane] = whole_sum(sums[0], sum == TensorSum::s32_saturated);
    second.at[lane] = whole_sum(sums[1], sum == TensorSum::s32_saturated);
}

// Fragments: chunks of 128 bits along K, one register each from source `first` on.
inline Block unpack_block(const Warp& warp, const MicroOp& op, std::size_t first, std::size_t chunks,
                          TensorElement element) {
    const auto bits = static_cast<u32>(bits_of(element));
    const std::size_t per_word = 32 / bits;
    const u32 field = bits == 32 ? all_lanes : (1U << bits) - 1;
    Block block;
    block.k = chunks * lanes_per_row * per_word;
    for (std::size_t lane = 0; lane < lane_count; ++lane) {
        for (std::size_t c = 0; c < chunks; ++c) {
            const u32 word = from(warp, op, first + c).at[lane];
            const std::size_t at = (c * lanes_per_row + lane % lanes_per_row) * per_word;
            for (std::size_t e = 0; e < per_word; ++e) {
                block.rows[lane / lanes_per_row][at + e] =
                    value_of(word >> (bits * static_cast<u32>(e)) & field, element);
            }
        }
    }
    return block;
}

}  // namespace gpumodel::emulate
