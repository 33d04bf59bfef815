// In which order a k step's products are taken, and the register bank that each accumulator gets from it.
#pragma once

#include <vector>

#include "traces/codegen/code_style.h"
#include "traces/kernel_program.h"

namespace gpumodel {

// How a step's fragment words lie in registers.
struct FragmentShape {
    int r = 0, s = 0;                // words of A and B per step
    int steps = 1;                   // per body
    int a_vector = 1, b_vector = 1;  // words per load; neighbouring words of a step unless along k
    bool a_along_k = false;
    int column_run = 0;                // words of B that lie side by side in a row of C
    bool consecutive_results = false;  // accumulators lie as in memory: only rows of A are free of conflicts
    bool results_off_b = false;        // no register is free: accumulators mind the larger side's banks
};

struct Product {
    int step = 0, i = 0, j = 0;  // acc(i,j) += A(i)*B(j)
    bool a_fixed = false;        // the row's constant word is A(i), the running one B(j)
    bool swapped = false;        // B(j) in operand slot A
    bool begins_row = false;
};

// All products of a body. Rows: the words of the larger side one after another, each against all words of
// the smaller side; the last quad of the larger side in 4x4 blocks with the roles swapped where that side
// is B. Where both sides are equal and banks are not minded, every other step of a body has the other order.
// Without rows (one word of B per step, A along k) two rows of A run through k side by side.
[[nodiscard]] std::vector<Product> product_order(const FragmentShape& shape, const CodeStyle& style);

// Register banks (low bit of the number). Words of a vector load alternate; single words can be anywhere.
[[nodiscard]] int fragment_bank(const FragmentShape& shape, const Product& product, bool is_a,
                                const CodeStyle& style);
[[nodiscard]] int accumulator_bank(const FragmentShape& shape, const Product& product,
                                   const CodeStyle& style);

}  // namespace gpumodel
