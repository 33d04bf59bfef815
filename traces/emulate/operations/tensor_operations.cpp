#include "traces/emulate/operations/tensor_operations.h"

#include <array>
#include <bit>
#include <cmath>

#include "traces/emulate/operations/matrix_numbers.h"
#include "traces/emulate/prepare/addresses.h"
#include "traces/emulate/run/block_state.h"

namespace gpumodel::emulate {

namespace {

// Bits that match, of a row and a column of single bits.
double count_bits(const Warp& warp, const MicroOp& op, std::size_t row, std::size_t column,
                  std::size_t chunks, bool exclusive) {
    int count = 0;
    for (std::size_t c = 0; c < chunks; ++c) {
        for (std::size_t i = 0; i < lanes_per_row; ++i) {
            const u32 a = from(warp, op, c).at[row * lanes_per_row + i];
            const u32 b = from(warp, op, 2 + c).at[column * lanes_per_row + i];
            count += std::popcount(exclusive ? a ^ b : a & b);
        }
    }
    return count;
}

// Of a quad pair: its lane that holds row (or column) 0 ... 7, and the number that a lane holds.
std::size_t lane_in_pair(std::size_t pair, std::size_t i) {
    return (i / 4) * 16 + pair * 4 + i % 4;
}

// Element (i, k) of an operand: lane i holds its four k, or lane k of each half holds four i.
double pair_element(const Warp& warp, const MicroOp& op, std::size_t first, std::size_t pair, std::size_t i,
                    std::size_t k, bool along_k) {
    const std::size_t lane = along_k ? lane_in_pair(pair, i) : lane_in_pair(pair, (i / 4) * 4 + k);
    const std::size_t at = along_k ? k : i % 4;
    return from_half(half_of(from(warp, op, first + at / 2).at[lane], at % 2));
}

double pair_product(const Warp& warp, const MicroOp& op, std::size_t pair, std::size_t row,
                    std::size_t column, double sum) {
    const bool a_rows = (op.option & quad_pair_a_columns) == 0;
    const bool b_columns = (op.option & quad_pair_b_columns) != 0;
    for (std::size_t k = 0; k < 4; ++k) {
        sum += pair_element(warp, op, 0, pair, row, k, a_rows) *
               pair_element(warp, op, 2, pair, column, k, b_columns);
    }
    return sum;
}

u32 matrix_word(const std::array<std::array<u32, lanes_per_row>, matrix_rows>& rows, std::size_t lane,
                bool transposed) {
    const std::size_t row = lane / lanes_per_row, column = lane % lanes_per_row;
    if (!transposed) {
        return rows[row][column];
    }
    return half_of(rows[2 * column][row / 2], row % 2) | half_of(rows[2 * column + 1][row / 2], row % 2)
                                                             << 16;
}

Lanes transposed(const Lanes& matrix) {
    std::array<std::array<u32, lanes_per_row>, matrix_rows> rows{};
    for (std::size_t lane = 0; lane < lane_count; ++lane) {
        rows[lane / lanes_per_row][lane % lanes_per_row] = matrix.at[lane];
    }
    Lanes result;
    for (std::size_t lane = 0; lane < lane_count; ++lane) {
        result.at[lane] = matrix_word(rows, lane, true);
    }
    return result;
}

using Sums = std::array<std::array<double, matrix_rows>, matrix_rows>;  // by row and column

Sums old_sums(const Warp& warp, const MicroOp& op, TensorSum sum) {
    Sums sums;
    for (std::size_t lane = 0; lane < lane_count; ++lane) {
        for (std::size_t j = 0; j < 2; ++j) {
            sums[lane / lanes_per_row][2 * (lane % lanes_per_row) + j] = old_sum(warp, op, sum, lane, j);
        }
    }
    return sums;
}

Sums sums_of_bits(const Warp& warp, const MicroOp& op, TensorSum sum) {
    const bool exclusive = static_cast<TensorElement>(op.option & 0xffU) == TensorElement::b1_xor;
    Sums sums = old_sums(warp, op, sum);
    for (std::size_t row = 0; row < matrix_rows; ++row) {
        for (std::size_t column = 0; column < matrix_rows; ++column) {
            sums[row][column] += count_bits(warp, op, row, column, op.option >> 24, exclusive);
        }
    }
    return sums;
}

// Each sum takes its products in the order of k; the columns, which do not hang on one another, go side by
// side.
Sums sums_of_numbers(const Warp& warp, const MicroOp& op, TensorSum sum) {
    const std::size_t chunks = op.option >> 24;
    const Block a = unpack_block(warp, op, 0, chunks, static_cast<TensorElement>(op.option & 0xffU));
    const Block b = unpack_block(warp, op, 2, chunks, static_cast<TensorElement>(op.option >> 8 & 0xffU));
    std::array<std::array<double, matrix_rows>, most_k> columns;
    for (std::size_t k = 0; k < a.k; ++k) {
        for (std::size_t column = 0; column < matrix_rows; ++column) {
            columns[k][column] = b.rows[column][k];
        }
    }
    Sums sums = old_sums(warp, op, sum);
    for (std::size_t row = 0; row < matrix_rows; ++row) {
        for (std::size_t k = 0; k < a.k; ++k) {
            for (std::size_t column = 0; column < matrix_rows; ++column) {
                sums[row][column] += a.rows[row][k] * columns[k][column];
            }
        }
    }
    return sums;
}

}  // namespace

void multiply_rows(Warp& warp, const MicroOp& op, u32 mask) {
    const auto a = static_cast<TensorElement>(op.option & 0xffU);
    const auto sum = static_cast<TensorSum>(op.option >> 16 & 0xffU);
    Lanes first{}, second{};
    const Sums sums = bits_of(a) == 1 ? sums_of_bits(warp, op, sum) : sums_of_numbers(warp, op, sum);
    for (std::size_t lane = 0; lane < lane_count; ++lane) {
        const auto& row = sums[lane / lanes_per_row];
        const std::size_t column = 2 * (lane % lanes_per_row);
        set_sums(first, second, sum, lane, {row[column], row[column + 1]});
    }
    assign(to(warp, op, 0), first, mask);
    if (sum != TensorSum::f16) {
        assign(to(warp, op, 1), second, mask);
    }
}

void multiply_doubles(Warp& warp, const MicroOp& op, u32 mask) {
    const auto number = [&](std::size_t first, std::size_t lane) {
        return as_double(from(warp, op, first).at[lane], from(warp, op, first + 1).at[lane]);
    };
    Lanes low{}, high{};
    for (std::size_t lane = 0; lane < lane_count; ++lane) {
        const std::size_t row = lane / lanes_per_row;
        const std::size_t column = 2 * (lane % lanes_per_row) + op.option;
        double sum = number(4, lane);
        for (std::size_t k = 0; k < lanes_per_row; ++k) {
            sum = std::fma(number(0, row * lanes_per_row + k), number(2, column * lanes_per_row + k), sum);
        }
        low.at[lane] = low_word(double_bits(sum));
        high.at[lane] = high_word(double_bits(sum));
    }
    assign(to(warp, op, 0), low, mask);
    assign(to(warp, op, 1), high, mask);
}

// Accumulators (PTX ISA, m8n8k4): f32, number i of a lane: row (lane & 1) + (i & 2), column (i & 4) + (lane &
// 2) + (i & 1); f16: row lane & 3, column i; the upper half of a pair four rows down. A step makes 2 (f32) or
// 4 of them.
void multiply_quad_pairs(Warp& warp, const MicroOp& op, u32 mask) {
    const std::size_t step = op.option & 3U;
    const bool halves = (op.option & quad_pair_f16) != 0;
    Lanes first{}, second{};
    for (std::size_t lane = 0; lane < lane_count; ++lane) {
        const std::size_t pair = lane % 16 / 4, below = lane / 16 * 4;
        const auto& c0 = from(warp, op, 4);
        const auto& c1 = from(warp, op, 5);
        if (halves) {
            const std::size_t row = lane % 4 + below;
            const auto sum = [&](const Lanes& c, std::size_t i) {
                return pair_product(warp, op, pair, row, 4 * step + i, from_half(half_of(c.at[lane], i % 2)));
            };
            first.at[lane] = pack_halves(sum(c0, 0), sum(c0, 1));
            second.at[lane] = pack_halves(sum(c1, 2), sum(c1, 3));
            continue;
        }
        const std::size_t row = (lane & 1U) + 2 * (step & 1U) + below;
        const std::size_t column = 4 * (step >> 1U) + (lane & 2U);
        first.at[lane] =
            float_bits(towards_zero(pair_product(warp, op, pair, row, column, as_float(c0.at[lane]))));
        second.at[lane] =
            float_bits(towards_zero(pair_product(warp, op, pair, row, column + 1, as_float(c1.at[lane]))));
    }
    assign(to(warp, op, 0), first, mask);
    assign(to(warp, op, 1), second, mask);
}

void load_matrix(Warp& warp, const MicroOp& op, u32 mask) {
    const auto addresses = shared_addresses(warp, op);
    const std::size_t first = 8 * (op.option & 0xffU);
    auto& shared = warp.block->shared;
    std::array<std::array<u32, lanes_per_row>, matrix_rows> rows{};
    for (std::size_t row = 0; row < matrix_rows; ++row) {
        for (std::size_t word = 0; word < lanes_per_row; ++word) {
            const u32 address = addresses.at[first + row] + 4 * static_cast<u32>(word);
            rows[row][word] = low_word(shared.load(address, 4));
            if (warp.taint && shared.is_tainted(address, 4)) {
                warp.taint->loaded = all_lanes;
            }
        }
    }
    Lanes result;
    for (std::size_t lane = 0; lane < lane_count; ++lane) {
        result.at[lane] = matrix_word(rows, lane, (op.option & matrix_transposed) != 0);
    }
    assign(to(warp, op), result, mask);
}

void store_matrix(Warp& warp, const MicroOp& op, u32 mask) {
    if (mask != all_lanes) {
        return;  // a converged warp is required: nothing defined happens
    }
    const auto addresses = shared_addresses(warp, op);
    const std::size_t first = 8 * (op.option & 0xffU);
    const auto& source = from(warp, op, 4);
    const Lanes words = (op.option & matrix_transposed) != 0 ? transposed(source) : source;
    for (std::size_t lane = 0; lane < lane_count; ++lane) {
        const u32 address =
            addresses.at[first + lane / lanes_per_row] + 4 * static_cast<u32>(lane % lanes_per_row);
        warp.block->shared.store(address, words.at[lane], 4);
        if (warp.taint) {
            warp.block->shared.set_taint(address, 4, warp.taint->sources != 0);
        }
    }
}

void transpose_matrix(Warp& warp, const MicroOp& op, u32 mask) {
    assign(to(warp, op), transposed(from(warp, op, 0)), mask);
}

}  // namespace gpumodel::emulate
