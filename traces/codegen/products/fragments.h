// The fragment loads of a product body.
#pragma once

#include <vector>

#include "traces/codegen/products/product_order.h"

namespace gpumodel {

// One load of a fragment site.
struct FragmentLoad {
    int site = 0;
    int word = 0;   // of the site
    int width = 1;  // words
    bool is_a = false;
};

struct FragmentWord {
    int load = -1;  // index into FragmentMap::loads; -1 = no site loads it
    int component = 0;
};

struct FragmentMap {
    FragmentShape shape;
    std::vector<FragmentLoad> loads;
    std::vector<FragmentWord> a, b;  // word i of step q: a[q*r + i]; b[q*s + j]

    [[nodiscard]] bool several_widths() const;
    [[nodiscard]] const FragmentWord& a_word(const Product& p) const {
        return a[static_cast<std::size_t>(p.step * shape.r + p.i)];
    }
    [[nodiscard]] const FragmentWord& b_word(const Product& p) const {
        return b[static_cast<std::size_t>(p.step * shape.s + p.j)];
    }
};

[[nodiscard]] FragmentMap fragment_map(const Segment& segment);

// Words that are live at once, at most, if every load is put off until a product needs it.
[[nodiscard]] int least_fragment_words(const FragmentMap& map, const std::vector<Product>& order);

// The next step's words are on their way while a step is multiplied (`library`, compiler/code_shape.h):
// nothing waits for shared memory.
[[nodiscard]] bool hand_scheduled(const Segment& segment);

// True if words beyond the budget are loaded when a product needs the first of them, as many as fit, and
// waited for at once: rolled bodies of 128 products on sm_90 (the second half of a step's words), and where a
// segment says so (SegmentOrder::loads_late).
[[nodiscard]] bool loads_in_halves(const Segment& segment, const FragmentShape& shape,
                                   const CodeStyle& style);

// Bodies of several steps: products between a load and the first one that needs it, at least, where registers
// allow; 0 = loads follow one another as registers become free.
[[nodiscard]] int products_ahead(const Segment& segment, const FragmentShape& shape, const CodeStyle& style);

// Words that are live at once, at most, if every load goes out `ahead` products before its first use.
[[nodiscard]] int words_ahead(const FragmentMap& map, const std::vector<Product>& order, int ahead);

// Registers that fragments from shared memory may take up at once.
[[nodiscard]] int fragment_budget(const Segment& segment, const FragmentShape& shape, const CodeStyle& style);

}  // namespace gpumodel
