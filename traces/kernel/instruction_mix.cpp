#include "traces/kernel/instruction_mix.h"

#include <algorithm>
#include <array>

namespace gpumodel {

namespace {

// Instructions per tile = base + per_load * loads, by CodeGeneration (kepler, volta, ampere, hopper).
struct Line {
    double base = 0;
    double per_load = 0;
};
using Lines = std::array<Line, 4>;

// Fitted by eye to cuobjdump listings of our own kernels (nvcc 11.8; sm_35, sm_70, sm_86, sm_90), two to
// eight instances per line; scatter about 10 instructions, 2-3 % of a tile. hopper's 30 + 2n for rolled
// vector loads is the 33 + 2n of study of compiled listings less two barriers and a branch.
constexpr Lines one_word_lines{{{10, 0}, {10, 0}, {10, 0}, {10, 0}}};
constexpr Lines scalar_rows_lines{{{10, 6.4}, {8, 5.5}, {9, 4.7}, {18, 5.6}}};
constexpr Lines one_vector_lines{{{33, 0}, {32, 0}, {27, 0}, {35, 0}}};
constexpr Lines rolled_vector_lines{{{27, 3}, {22, 2.2}, {21, 2.3}, {30, 2}}};
constexpr Lines unrolled_vector_lines{{{52, 4}, {48, 4}, {36, 4}, {36, 4}}};
constexpr Lines small_vector_lines{{{7, 2}, {7, 2}, {8, 2}, {9, 2.5}}};  // up to 32 accumulators
constexpr Lines scheduled_lines{{{8, 0}, {8, 0}, {8, 0}, {8, 0}}};       // pointer steps, buffer flip
constexpr int small_accumulators = 32;
constexpr int few_loads = 2;                 // no row steps: as cheap as small tiles
constexpr int few_accumulators = 16;         // vectorized needs 10 instructions per tile up to here
constexpr int few_accumulators_hopper = 32;  // executed instructions on an H200

const Lines& lines_of(const TileCode& code) {
    switch (code.style) {
        case LoadStyle::one_word:
            return one_word_lines;
        case LoadStyle::scalar_rows:
            return scalar_rows_lines;
        case LoadStyle::one_vector:
            return code.accumulators <= (code.generation == CodeGeneration::hopper ? few_accumulators_hopper
                                                                                   : few_accumulators)
                       ? one_word_lines
                       : one_vector_lines;
        case LoadStyle::vector_rows:
            if (code.accumulators <= small_accumulators || code.loads <= few_loads) {
                return small_vector_lines;
            }
            return code.rolled ? rolled_vector_lines : unrolled_vector_lines;
        case LoadStyle::scheduled:
            return scheduled_lines;
    }
    return one_word_lines;
}

// Spreads `total` over the classes that address arithmetic uses: one wide multiply-add per load (three
// IMADs on Kepler), a compare for the loop, and the rest in adds, logic, shifts and moves as listed
// (roughly 2 : 1 : 1 : 1).
OpCounts spread_addresses(double total, int loads, CodeGeneration generation) {
    OpCounts ops{};
    const double wide = std::min<double>(loads, total / 3);
    count_of(ops, generation == CodeGeneration::kepler ? OpClass::imad : OpClass::imad_wide) = wide;
    const double compare = std::min(1.0, total - wide);
    count_of(ops, OpClass::compare) = compare;
    const double rest = (total - wide - compare) / 5;
    count_of(ops, OpClass::iadd) = 2 * rest;
    count_of(ops, OpClass::logic) = rest;
    count_of(ops, OpClass::shift) = rest;
    count_of(ops, OpClass::mov) = rest;
    return ops;
}

}  // namespace

void add(OpCounts& to, const OpCounts& ops, double times) {
    for (std::size_t i = 0; i < op_class_count; ++i) {
        to[i] += times * ops[i];
    }
}

OpCounts tile_overhead(const TileCode& code) {
    const Line& line = lines_of(code)[static_cast<std::size_t>(code.generation)];
    return spread_addresses(line.base + line.per_load * code.loads, code.loads, code.generation);
}

OpCounts k_loop_overhead(const TileCode& code) {
    OpCounts ops{};
    if (!code.rolled || code.style == LoadStyle::scheduled) {
        return ops;
    }
    // Listings: 4 address or shift instructions, a counter, a compare and the branch for one step per
    // body (6 more to select the buffer when there are two, none
    // on sm_90 by executed instructions on an H200); bodies of 4 or 8 steps 2 less.
    const double addresses = code.unrolled_steps > 1 ? 2 : 4;
    count_of(ops, OpClass::shift) = addresses / 2;
    count_of(ops, OpClass::iadd) = addresses / 2 + 1;
    const bool selects_buffer =
        code.double_buffered && code.unrolled_steps == 1 && code.generation != CodeGeneration::hopper;
    count_of(ops, OpClass::logic) = selects_buffer ? 6 : 0;
    count_of(ops, OpClass::compare) = 1;
    count_of(ops, OpClass::branch) = 1;
    return ops;
}

OpCounts prologue_overhead(int accumulators, CodeGeneration generation) {
    // study of compiled listings: tot/2 + 25, zeroing in pairs; Kepler zeroes one register at a time.
    OpCounts ops{};
    count_of(ops, OpClass::mov) = generation == CodeGeneration::kepler ? accumulators : accumulators / 2.0;
    count_of(ops, OpClass::special_register) = 3;
    count_of(ops, OpClass::imad) = 6;
    count_of(ops, OpClass::logic) = 5;
    count_of(ops, OpClass::shift) = 5;
    count_of(ops, OpClass::iadd) = 6;
    return ops;
}

OpCounts epilogue_arithmetic(const EpilogueCode& code) {
    OpCounts ops{};
    if (code.c_is_read) {
        count_of(ops, OpClass::fmul) = code.words;
        count_of(ops, OpClass::ffma) = code.words;
    }
    // study of compiled listings: 5 address instructions per distinct row and vector (3.6 per scalar
    // result), about 25 once (20 for scalars).
    const double addresses = code.vector_words > 1 ? 5.0 * code.address_groups : 3.6 * code.words;
    const double once = code.vector_words > 1 ? 25 : 20;
    count_of(ops, OpClass::iadd) = addresses * 3 / 5 + once / 2;
    count_of(ops, OpClass::shift) = addresses * 2 / 5;
    count_of(ops, OpClass::imad) = once / 2;
    count_of(ops, OpClass::branch) = 1;  // EXIT
    return ops;
}

}  // namespace gpumodel
