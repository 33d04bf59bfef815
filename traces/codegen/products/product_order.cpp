#include "traces/codegen/products/product_order.h"

#include <algorithm>

namespace gpumodel {

namespace {

// Words that are not neighbours in a load of their step are named in both slots by turns: the first product
// of every running load has its operands swapped (docs/compiled_code.md, row-major A).
bool breaks_rows(const FragmentShape& shape) {
    return shape.a_along_k || shape.a_vector == 1;
}

// Words of B come one by one, those of A in vectors (docs/compiled_code.md): tiles against bank conflicts.
bool single_columns(const FragmentShape& shape, const CodeStyle& style) {
    return style.full_rate_fp32 && shape.a_vector > 1 && shape.b_vector == 1 && shape.s > 1 &&
           !shape.a_along_k;
}

class Raster {
public:
    Raster(const FragmentShape& shape, const CodeStyle& style, std::vector<Product>& to)
        : shape_(shape), style_(style), to_(to) {}

    void step(int q) {
        // B stays while words of A go by where it is the smaller side, or one run of columns and not larger
        // or registers are there; else its quads do so one after another (listings of sm_90).
        const bool one_run =
            shape_.column_run == shape_.s && (shape_.r == shape_.s || style_.registers_to_spare());
        const bool b_stays = style_.generation >= CodeGeneration::hopper && (shape_.r > shape_.s || one_run);
        if (shape_.a_vector == 1 && shape_.s > quad && !shape_.consecutive_results && !b_stays) {
            first_quad_by_rows(q);
            return;
        }
        if (single_columns(shape_, style_)) {
            against_columns(q);
            return;
        }
        if (shape_.r > shape_.s || shape_.consecutive_results || breaks_rows(shape_)) {
            // Two quads of A against one of B: every other step begins with a column.
            const bool two_quads = style_.full_rate_fp32 && shape_.r == 2 * quad && shape_.s == quad;
            const bool plain = !shape_.consecutive_results && !breaks_rows(shape_);
            const bool column = two_quads && plain && q % 2 != 0;
            const int columns = column || shape_.s == 1 ? 1 : 0;
            rows_of_b(q, columns);
            rows_of_a(q, columns);
        } else {
            int rows = (shape_.s - 1) / quad * quad;
            const bool alternates = shape_.r == shape_.s && !style_.full_rate_fp32 && !style_.kepler();
            if (alternates && q % 2 != 0) {
                rows = rows == 0 ? shape_.s : 0;
            }
            rows_of_b(q, rows);
            rows_of_a(q, rows);
        }
    }

private:
    // The first `count` words of B, each against all words of A.
    void rows_of_b(int q, int count) {
        for (int j = 0; j < count; ++j) {
            const std::size_t from = to_.size();
            row(q, false, j, 0, shape_.r);
            if (breaks_row_of_b(j)) {
                for (std::size_t k = from; k < to_.size(); ++k) {
                    to_[k].swapped = j == 0 || (k - from) % quad != 0;
                }
            }
        }
    }
    // Each word of A against the words of B from `begin` on.
    void rows_of_a(int q, int begin) {
        for (int i = 0; begin < shape_.s && i < shape_.r; ++i) {
            const std::size_t from = to_.size();
            row(q, true, i, begin, shape_.s);
            if (minds_rows() && begin > 0 && i % quad != 0) {
                to_[from].swapped = true;
            }
        }
    }

    [[nodiscard]] bool minds_rows() const {
        return style_.generation >= CodeGeneration::hopper && shape_.r <= shape_.s && shape_.b_vector > 1;
    }
    // Listings of sm_90 (60 warp tiles): where B is the larger side its word stands in the first slot and the
    // first word of each quad of A in turn takes it: in all rows of the first quad, of the second one where
    // it is the same run of columns, else in a quad's first row.
    [[nodiscard]] bool breaks_row_of_b(int j) const {
        if (!minds_rows()) {
            return false;
        }
        const bool equal_runs = shape_.r == shape_.s && shape_.column_run == shape_.s;
        const int broken = equal_runs ? 0 : shape_.r < shape_.s && shape_.column_run > quad ? 2 * quad : quad;
        return j < broken || j % quad == 0;
    }

    // Single words of A against several quads of B: the first quad word by word of A, the others column by
    // column (docs/compiled_code.md, row-major A).
    void first_quad_by_rows(int q) {
        for (int i = 0; i < shape_.r; ++i) {
            row(q, true, i, 0, quad);
        }
        for (int j = quad; j < shape_.s; ++j) {
            row(q, false, j, 0, shape_.r);
        }
    }

    // Quads of A against single words of B: word by word of B, of A's first quad alone where B is not the
    // larger side, then word by word of A. A row's first product leaves the running word its slot.
    void against_columns(int q) {
        const int height = shape_.s > shape_.r ? shape_.r : std::min(shape_.r, quad);
        for (int j = 0; j < shape_.s; ++j) {
            const std::size_t from = to_.size();
            row(q, false, j, 0, height);
            for (std::size_t k = from; k < to_.size(); ++k) {
                to_[k].swapped = j == 0 || k > from;
            }
        }
        for (int i = height; i < shape_.r; ++i) {
            const std::size_t from = to_.size();
            row(q, true, i, 0, shape_.s);
            for (std::size_t k = from; k < to_.size(); ++k) {
                to_[k].swapped = true;
            }
        }
    }

    void row(int q, bool a_fixed, int fixed, int begin, int end) {
        for (int run = begin; run < end; ++run) {
            Product product{.step = q,
                            .i = a_fixed ? fixed : run,
                            .j = a_fixed ? run : fixed,
                            .a_fixed = a_fixed,
                            .swapped = false,
                            .begins_row = run == begin};
            // Rows of one quad along k are broken every other time.
            const bool broken =
                breaks_rows(shape_) && (end - begin > quad || !shape_.a_along_k || fixed % 2 == 0);
            product.swapped = a_fixed && broken && shape_.b_vector > 1 && run % shape_.b_vector == 0;
            to_.push_back(product);
        }
    }

    const FragmentShape& shape_;
    const CodeStyle& style_;
    std::vector<Product>& to_;
};

// Two rows of A, the second one a step or two behind, so that no accumulator is used twice in a row.
void append_pair_of_rows(const FragmentShape& shape, int first, std::vector<Product>& to) {
    const int behind = 1 + first / 2 % 2;
    const bool pair = first + 1 < shape.r;
    for (int q = 0; q < shape.steps + behind; ++q) {
        if (q < shape.steps) {
            to.push_back(
                {.step = q, .i = first, .j = 0, .a_fixed = false, .swapped = false, .begins_row = false});
        }
        if (pair && q >= behind) {
            to.push_back({.step = q - behind,
                          .i = first + 1,
                          .j = 0,
                          .a_fixed = false,
                          .swapped = false,
                          .begins_row = false});
        }
    }
}

// Rows of A through a few steps at a time, as many as one load of A holds.
void append_columns(const FragmentShape& shape, std::vector<Product>& to) {
    FragmentShape part = shape;
    for (int begin = 0; begin < shape.steps; begin += part.steps) {
        part.steps = std::min(std::max(shape.a_vector, 1), shape.steps - begin);
        const std::size_t from = to.size();
        for (int i = 0; i < shape.r; i += 2) {
            append_pair_of_rows(part, i, to);
        }
        for (std::size_t k = from; k < to.size(); ++k) {
            to[k].step += begin;
        }
    }
}

}  // namespace

std::vector<Product> product_order(const FragmentShape& shape, const CodeStyle& style) {
    std::vector<Product> order;
    order.reserve(static_cast<std::size_t>(shape.r) * static_cast<std::size_t>(shape.s) *
                  static_cast<std::size_t>(shape.steps));
    if (shape.s == 1 && shape.r > 1 && shape.a_along_k) {
        append_columns(shape, order);
        return order;
    }
    Raster raster(shape, style, order);
    for (int q = 0; q < shape.steps; ++q) {
        raster.step(q);
    }
    return order;
}

int fragment_bank(const FragmentShape& shape, const Product& product, bool is_a, const CodeStyle& style) {
    const int vector = is_a ? shape.a_vector : shape.b_vector;
    if (vector > 1) {
        return (is_a ? (shape.a_along_k ? product.step : product.i) : product.j) % 2;
    }
    // Study of compiled listings: single words of A go to odd registers on parts that mind the banks (sm_86,
    // sm_90). Where there is only one word of B per step, words avoid the other operand.
    if (is_a) {
        return shape.s > 1 && style.full_rate_fp32 ? 1 : product.i % 2;
    }
    if (single_columns(shape, style) && shape.s > shape.r) {
        return 1;
    }
    if (shape.s > 1 || !shape.a_along_k) {
        return shape.s > 1 ? product.j % 2 : 1;
    }
    // One result per thread: away from the accumulator, a quarter of the time only where banks are not
    // minded.
    const bool off_accumulator = shape.r == 1 && (style.full_rate_fp32 || product.step / 2 % 4 == 0);
    return off_accumulator ? 0 : 1 - product.step % 2;
}

int accumulator_bank(const FragmentShape& shape, const Product& product, const CodeStyle& style) {
    if (shape.s == 1) {
        return 1 - product.i % 2;
    }
    if (!style.full_rate_fp32 && !style.kepler()) {
        // Neighbours in a row of C lie side by side (sm_70 and sm_80), away from B's banks: no product reads
        // three registers of one bank.
        return 1 - product.j % 2;
    }
    if (single_columns(shape, style)) {
        return 1 - fragment_bank(shape, product, true, style);
    }
    if (shape.results_off_b) {
        return 1 - fragment_bank(shape, product, false, style);
    }
    const int running = fragment_bank(shape, product, !product.a_fixed, style);
    const int fixed = fragment_bank(shape, product, product.a_fixed, style);
    // The odd rows of A begin with a clash on the even bank (docs/compiled_code.md).
    const bool clash =
        product.a_fixed && product.begins_row && fixed == 1 && running == 0 && shape.a_vector > 1;
    return clash ? running : 1 - running;
}

}  // namespace gpumodel
