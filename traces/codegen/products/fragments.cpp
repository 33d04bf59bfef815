#include "traces/codegen/products/fragments.h"

#include <algorithm>

namespace gpumodel {

namespace {

// Position of fragment word `index` in a[] of FragmentMap: steps outermost.
int position(const ProductStep& product, bool is_a, int index) {
    if (is_a && product.a_along_k) {
        return index % product.steps * product.r + index / product.steps;
    }
    return index;
}

void add_site(FragmentMap& map, const Segment& segment, int number, int& before) {
    const AccessSite& site = segment.sites[static_cast<std::size_t>(number)];
    const bool is_a = site.role == SiteRole::fragment_a;
    auto& words = is_a ? map.a : map.b;
    int& vector = is_a ? map.shape.a_vector : map.shape.b_vector;
    vector = std::max(vector, site.vector_words);
    for (int word = 0; word < site.words; ++word) {
        if (word % site.vector_words == 0) {
            map.loads.push_back({number, word, site.vector_words, is_a});
        }
        const int index = site.fragment_index ? site.fragment_index(word) : before + word;
        const int at = index < 0 ? -1 : position(segment.product, is_a, index);
        if (at >= 0 && at < static_cast<int>(words.size())) {
            words[static_cast<std::size_t>(at)] = {static_cast<int>(map.loads.size()) - 1,
                                                   word % site.vector_words};
        }
    }
    before += site.words;
}

}  // namespace

bool FragmentMap::several_widths() const {
    return std::any_of(loads.begin(), loads.end(),
                       [this](const FragmentLoad& load) { return load.width != loads.front().width; });
}

FragmentMap fragment_map(const Segment& segment) {
    const ProductStep& product = segment.product;
    FragmentMap map;
    map.shape = {.r = product.r,
                 .s = product.s,
                 .steps = product.steps,
                 .a_along_k = product.a_along_k,
                 .column_run = product.column_run};
    map.a.resize(static_cast<std::size_t>(product.r * product.steps));
    map.b.resize(static_cast<std::size_t>(product.s * product.steps));
    int a_words = 0;
    int b_words = 0;
    for (int number = 0; number < static_cast<int>(segment.sites.size()); ++number) {
        const SiteRole role = segment.sites[static_cast<std::size_t>(number)].role;
        if (role == SiteRole::fragment_a || role == SiteRole::fragment_b) {
            add_site(map, segment, number, role == SiteRole::fragment_a ? a_words : b_words);
        }
    }
    return map;
}

int least_fragment_words(const FragmentMap& map, const std::vector<Product>& order) {
    std::vector<int> uses(map.loads.size(), 0);
    std::vector<bool> loaded(map.loads.size(), false);
    const auto for_each_load = [&](const Product& product, const auto& visit) {
        for (const FragmentWord* word : {&map.a_word(product), &map.b_word(product)}) {
            if (word->load >= 0) {
                visit(static_cast<std::size_t>(word->load));
            }
        }
    };
    for (const Product& product : order) {
        for_each_load(product, [&](std::size_t load) { ++uses[load]; });
    }
    int live = 0;
    int most = 0;
    for (const Product& product : order) {
        for_each_load(product, [&](std::size_t load) {
            live += loaded[load] ? 0 : map.loads[load].width;
            loaded[load] = true;
        });
        most = std::max(most, live);
        for_each_load(product,
                      [&](std::size_t load) { live -= --uses[load] == 0 ? map.loads[load].width : 0; });
    }
    return most;
}

bool hand_scheduled(const Segment& segment) {
    return segment.product.r > 0 && segment.product.steps > 1 && segment.dependency.serial_shared_loads == 0;
}

namespace {

constexpr int quad_words = 4;

// Bodies of one step with vector loads on both sides.
bool is_rolled_hopper(const FragmentShape& shape, const CodeStyle& style) {
    return style.generation >= CodeGeneration::hopper && shape.steps == 1 && !shape.a_along_k && shape.s > 1;
}

}  // namespace

bool loads_in_halves(const Segment& segment, const FragmentShape& shape, const CodeStyle& style) {
    if (segment.order.load_window > 0) {
        return segment.order.loads_late;
    }
    constexpr int products = 128;
    constexpr int few_threads = 128;
    if (!is_rolled_hopper(shape, style) || shape.r * shape.s != products || shape.a_vector != quad_words ||
        shape.b_vector != quad_words) {
        return false;
    }
    // Listings: with 128 threads, tiles whose smaller side is one run keep a fifth quad and load the last one
    // a quarter through (8x8 in two sub-rows, 8x4 in four sub-columns).
    const ProductStep& product = segment.product;
    const bool one_run = shape.r > shape.s ? product.column_run == shape.s
                                           : product.row_run == shape.r && product.column_run == quad_words;
    const bool larger_is_16 = std::max(shape.r, shape.s) == 4 * quad_words;
    // Double buffers with registers to spare keep it, too: 10 of 10 listings of 190 and more, none of 30
    // below.
    if (larger_is_16 && style.registers_to_spare()) {
        return false;
    }
    return !(segment.thread_end - segment.thread_begin <= few_threads && one_run && larger_is_16);
}

int products_ahead(const Segment& segment, const FragmentShape& shape, const CodeStyle& style) {
    if (shape.steps == 1 || shape.s == 1 || segment.order.load_window > 0 || hand_scheduled(segment)) {
        return 0;
    }
    return style.products_ahead;
}

int words_ahead(const FragmentMap& map, const std::vector<Product>& order, int ahead) {
    std::vector<int> first(map.loads.size(), -1);
    std::vector<int> last(map.loads.size(), -1);
    const int count = static_cast<int>(order.size());
    for (int i = 0; i < count; ++i) {
        const Product& product = order[static_cast<std::size_t>(i)];
        for (const FragmentWord* word : {&map.a_word(product), &map.b_word(product)}) {
            if (word->load >= 0) {
                const auto load = static_cast<std::size_t>(word->load);
                first[load] = first[load] < 0 ? i : first[load];
                last[load] = i;
            }
        }
    }
    std::vector<int> change(order.size() + 1, 0);
    for (std::size_t load = 0; load < first.size(); ++load) {
        if (first[load] >= 0) {
            change[static_cast<std::size_t>(std::max(0, first[load] - ahead))] += map.loads[load].width;
            change[static_cast<std::size_t>(last[load] + 1)] -= map.loads[load].width;
        }
    }
    int live = 0;
    int most = 0;
    for (const int words : change) {
        live += words;
        most = std::max(most, live);
    }
    return most;
}

int fragment_budget(const Segment& segment, const FragmentShape& shape, const CodeStyle& style) {
    // Study of compiled listings: seven to eleven single words before the first product, six to eight quads
    // where each holds several steps of a row.
    if (segment.order.load_window > 0) {
        return segment.order.load_window;
    }
    constexpr int single_words = 10;
    constexpr int rows_of_steps = 28;
    // Rows of A that are read quad by quad along k go out together, with three pairs of B.
    constexpr int pairs_of_b = 6;
    constexpr int most_rows_of_steps = 40;
    if (shape.s == 1 && shape.a_vector == 1) {
        return single_words;
    }
    if (shape.a_along_k && shape.r > 1) {
        return std::clamp(quad * shape.r + pairs_of_b, rows_of_steps, most_rows_of_steps);
    }
    if (hand_scheduled(segment)) {
        return 2 * (shape.r + shape.s);  // the next step's words are on their way
    }
    if (shape.steps == 1) {
        if (is_rolled_hopper(shape, style) && shape.a_vector == 1 && shape.s == quad_words &&
            shape.r == 4 * quad_words) {
            if (segment.product.row_run == shape.r) {
                return shape.s + single_words;  // one run of rows: as far ahead as registers allow
            }
            // Word by word where the row of a sub-tile is one quad, else a word ahead (listings, 80
            // registers).
            return shape.s + (segment.product.row_run <= quad_words ? 1 : 2);
        }
        if (loads_in_halves(segment, shape, style)) {
            return std::max(shape.r, shape.s) > 4 * quad_words ? 5 * quad_words : 4 * quad_words;
        }
        return style.rolled_fragment_words;
    }
    // Whole steps, where that leaves at least four quads.
    const int whole = style.unrolled_fragment_words / (shape.r + shape.s) * (shape.r + shape.s);
    constexpr int four_quads = 16;
    return whole >= four_quads ? whole : style.unrolled_fragment_words;
}

}  // namespace gpumodel
