// plan_code of tile_schedule.h: what the compiler makes of a tile.
#include <algorithm>
#include <cmath>
#include <utility>

#include "traces/kernel/compiler/unroll.h"
#include "traces/kernel/tiling/tile_schedule.h"

namespace gpumodel {

namespace {

// Largest power of two up to 4 that divides both, in words.
int common_vector(int a, int b) {
    if (a % 4 == 0 && b % 4 == 0) {
        return 4;
    }
    return a % 2 == 0 && b % 2 == 0 ? 2 : 1;
}

// Loops that step addresses by a constant instead of computing them from the k counter: double buffers, and
// small tiles on sm_90.
bool steps_addresses(const TiledGemm& g, const CodeChoice& choice) {
    constexpr int small_tile = 8192;
    constexpr int smallest_tile = 4096;
    constexpr int small_body = 8;
    const bool pinned_body = choice.pinned_unroll > 1;  // counters: 128-bit loads only
    if (g.steps_addresses) {
        return true;
    }
    if (g.unroll >= g.bk || g.unroll >= small_body || pinned_body) {
        return false;
    }
    switch (choice.shape) {
        case CodeShape::prefetch:
        case CodeShape::async:
            return true;
        case CodeShape::warp_tile:
            // tiles of 4096 do not: 8 of 8 listings
            return choice.generation >= CodeGeneration::hopper && g.bm * g.bn <= small_tile &&
                   g.bm * g.bn > smallest_tile;
        case CodeShape::scalar_rows:
            return g.bm * g.bn <= small_tile;
        case CodeShape::direct:
        case CodeShape::one_result:
        case CodeShape::column:
        case CodeShape::one_vector:
        case CodeShape::sub_tiles:
        case CodeShape::split:
        case CodeShape::library:
        case CodeShape::guide:
        case CodeShape::copy:
        case CodeShape::transpose:
            break;
    }
    return false;
}

// Bodies of the k loop that start with their loads (SegmentOrder). Listings of sm_70, 86 and 90, all of
// their rolled bodies but one in twenty: double buffers with one loop; of the others those of several steps,
// and small tiles. Behind sub-tile loops and in the copies of a split tile addresses come from the counter.
bool starts_with_loads(const TiledGemm& g, const CodeChoice& choice) {
    constexpr int small_tile = 8192;
    if (g.steps_addresses) {
        return true;
    }
    switch (choice.shape) {
        case CodeShape::prefetch:
        case CodeShape::async:
            return true;
        case CodeShape::warp_tile:
        case CodeShape::scalar_rows:
            return g.unroll > 1 || g.bm * g.bn <= small_tile;
        case CodeShape::one_vector:
        case CodeShape::column:
            return g.unroll > 1;
        case CodeShape::direct:
        case CodeShape::one_result:
        case CodeShape::sub_tiles:
        case CodeShape::split:
        case CodeShape::library:
        case CodeShape::guide:
        case CodeShape::copy:
        case CodeShape::transpose:
            break;
    }
    return false;
}

// The row of a lane is shifted right and a warp's row added.
bool shifts_rows(const TiledGemm& g) {
    const auto& tile = g.tile;
    return tile.lanes_per_row > tile.tm && tile.lanes_per_row < tile.group && g.bm / tile.group_m > 1;
}

// Double buffers with a single row of warps and 128 results in one run of columns: 2 of 2 listings each on
// sm_70, 80 and 90; with asynchronous copies on sm_90 only.
bool single_words_of_buffer(const TiledGemm& g, const CodeChoice& choice) {
    constexpr int many_results = 128;
    const bool shape = choice.shape == CodeShape::prefetch ||
                       (choice.shape == CodeShape::async && choice.generation >= CodeGeneration::hopper);
    const auto& tile = g.tile;
    return shape && choice.generation != CodeGeneration::kepler && choice.pinned_unroll == 0 &&
           g.accumulators() == many_results && tile.lanes_per_row > tile.tm &&
           tile.lanes_per_row < tile.group && g.bm == tile.group_m && tile.sub_cols == 1;
}

// Alignment is lost where a lane's row is shifted (docs/compiled_code.md). From sm_70 on in warptile's tiles
// of more than 8192 results, and in the half blocks of doublebuffer_split: 172 of 183 and 50 of 50 listings
// on sm_70.
bool single_words_of_a(const TiledGemm& g, const CodeChoice& choice) {
    if (choice.generation == CodeGeneration::blackwell) {
        return false;
    }
    if (single_words_of_buffer(g, choice)) {
        return true;
    }
    constexpr int small_tile = 8192;
    const bool shape = (choice.shape == CodeShape::warp_tile && g.bm * g.bn > small_tile) ||
                       choice.shape == CodeShape::split;
    return shape && choice.generation != CodeGeneration::kepler && choice.pinned_unroll == 0 &&
           shifts_rows(g);
}

// Words of fragments in front of a body's products, and whether the rest is loaded when it is needed.
struct FragmentPlan {
    int words = 0;  // 0 = as bodies of that shape mostly do
    bool late = false;
};

constexpr int words_of_quad = 4;
constexpr int small_block = 128;  // threads
constexpr int half_results = 64;

// Half blocks of split tiles whose words of A come one by one. Listings of sm_90, 64 results: with 256
// threads rows of B that are one run stay and a word of A stands right before its products, rows of several
// runs are loaded quad by quad behind all of A; with 128 threads four quads of 4 x 16.
FragmentPlan single_words_of_split(const TiledGemm& g) {
    if (g.r() * g.s() != half_results || g.unroll > 1) {
        return {};
    }
    if (g.threads <= small_block) {
        return {g.s() > 2 * words_of_quad ? 4 * words_of_quad : 0, false};
    }
    if (g.s() == words_of_quad) {
        constexpr int single_words = 10;
        return {g.s() + single_words, false};
    }
    return g.tile.tn == g.s() ? FragmentPlan{g.s() + 1, true} : FragmentPlan{g.r() + words_of_quad, true};
}

// What bodies of double buffers and of spilled results keep of their fragments, where that is not what other
// tiles do. Listings of sm_90: a step's words where a body has several steps (prefetching and asynchronous
// ones); in half blocks of split tiles four quads of 128 results, three of 64 where registers are short (128
// threads) or B is the larger side, the rest when it is needed; so where 32 staged words stand beside 64
// results, and in asynchronous tiles of 4 x 32.
FragmentPlan fragment_plan(const TiledGemm& g, const CodeChoice& choice) {
    const bool split = choice.shape == CodeShape::split;
    const bool buffers = choice.shape == CodeShape::prefetch || choice.shape == CodeShape::async;
    if (choice.generation < CodeGeneration::hopper || choice.pinned_unroll > 0) {
        return {};
    }
    // Results that do not fit the registers leave room for the smaller side and a quad of the larger one (all
    // 24 listings).
    if (g.spilled_words > 0) {
        return {std::min(g.r(), g.s()) + words_of_quad, true};
    }
    if (!split && !buffers) {
        return {};
    }
    if (g.a_vector == 1) {
        return split ? single_words_of_split(g) : FragmentPlan{};
    }
    if (g.unroll > 1) {
        return {split ? 0 : g.r() + g.s(), false};
    }
    const int results = g.r() * g.s();
    const int larger = std::max(g.r(), g.s());
    if (split && results == 2 * half_results && larger == 4 * words_of_quad) {
        return {4 * words_of_quad, true};
    }
    if (choice.shape == CodeShape::async && g.threads <= small_block && g.s() == 2 * 4 * words_of_quad) {
        return {3 * words_of_quad, true};
    }
    constexpr int many_staged = 32;
    const int staged = g.a_load.words() + g.b_load.words();
    const bool held = choice.shape == CodeShape::prefetch && staged >= many_staged;
    const bool short_of_registers = g.r() < g.s() || g.threads <= (split ? small_block : small_block / 2);
    return results == half_results && (split || held) && short_of_registers
               ? FragmentPlan{3 * words_of_quad, true}
               : FragmentPlan{};
}

// Widths of the fragment loads: what ptxas can prove aligned and contiguous (docs/compiled_code.md).
void plan_fragments(TiledGemm& g, const CodeChoice& choice) {
    const bool blocks_of_four = g.unroll % 4 == 0;
    const bool row_major_a = g.a_shared.order == SharedLayout::Order::row_major;
    g.a_along_k = row_major_a && g.unroll % 2 == 0 && g.a_shared.pitch % (blocks_of_four ? 4 : 2) == 0;
    g.b_row_shift = g.b_shared.order == SharedLayout::Order::row_major && g.b_shared.pitch % 4 != 0 &&
                    g.tile.tn % 4 == 0 && blocks_of_four;
    g.steps = g.a_along_k || g.b_row_shift ? (blocks_of_four ? 4 : 2) : 1;
    if (row_major_a) {
        g.a_vector = g.a_along_k ? g.steps : 1;
    } else {
        g.a_vector = single_words_of_a(g, choice) ? 1 : common_vector(g.tile.tm, g.a_shared.pitch);
    }
    g.b_vector =
        g.b_shared.order == SharedLayout::Order::row_major ? common_vector(g.tile.tn, g.b_shared.pitch) : 1;
    if (g.b_row_shift) {
        constexpr int pair = 2;
        g.b_vector = g.unroll < g.bk ? pair : words_of_quad;  // the widest of a row, split_fragment.h
    }
    g.peeled_a_vector = g.a_vector;
    g.peeled_b_vector = g.b_vector;
    if (!steps_addresses(g, choice)) {
        return;
    }
    // Such loops split a four-word fragment of a body into two 64-bit loads.
    constexpr int four_words = 4;
    if (g.s() == four_words) {
        g.b_vector = std::min(g.b_vector, 2);
    }
    if (g.r() * (g.a_along_k ? g.unroll : 1) == four_words) {
        g.a_vector = std::min(g.a_vector, 2);
    }
}

// Shared round trips that a body of the k loop waits for by itself (docs/compiled_code.md): one, and a
// second one when 4 quads stream against 8 words in a body of one step.
double exposed_fragments(const TiledGemm& g, const CodeChoice& choice) {
    if (choice.shape == CodeShape::library) {
        return 0;
    }
    const int larger = std::max(g.r(), g.s());
    const int smaller = std::min(g.r(), g.s());
    return g.unroll == 1 && larger >= 16 && smaller >= 8 ? 2 : 1;
}

// Fully unrolled blocktile2d bodies of 128x128 tiles load a thread's words of the first k step twice on
// sm_35, sm_70 and sm_86 (docs/compiled_code.md, confirmed in listings of our kernel).
int redundant_a_words(const TiledGemm& g, const CodeChoice& choice) {
    constexpr int large_tile = 128 * 128;
    const bool applies = choice.shape == CodeShape::scalar_rows && choice.pinned_unroll == 0 &&
                         choice.generation < CodeGeneration::hopper && g.unroll == g.bk &&
                         g.bm * g.bn >= large_tile;
    return applies ? g.r() : 0;
}

// Up to this many loads under `if (more)` become predicated instructions, which the last tile executes for
// nothing; 12 are skipped by a branch (H200 counters of our doublebuffer kernels). On sm_35 4 and 6
// (listings).
constexpr int most_predicated_loads = 8;
constexpr int most_predicated_loads_kepler = 4;

// Results per body of the k loop that do not fit the registers beside a step's fragments and eight others.
// Listings of sm_70, 86 and 90, 256 results: 14 to 33 words over a tile's bodies, 22 in the mean; this says
// 21 to 33.
int spilled_results(const TiledGemm& g) {
    constexpr int registers = 255;
    constexpr int others = 8;
    constexpr int two_quads = 8;
    const int over = g.accumulators() + std::min(g.r(), g.s()) + two_quads + others - registers;
    const int bodies = g.outer_rows * g.outer_cols * g.unroll;
    return g.local_stores > 0 || over <= 0 ? 0 : (over + bodies - 1) / bodies;
}

// 16-byte loads in row steps, as far ahead as registers allow.
bool loads_in_rows(CodeShape shape) {
    return shape == CodeShape::sub_tiles || shape == CodeShape::warp_tile || shape == CodeShape::split ||
           shape == CodeShape::async;
}

// load_window, and less where registers are short. Listings of sm_90: warp tiles of 64 results in 128 threads
// and four sub-tiles have 3 or 4 of six loads out (10 of 14; with fewer sub-tiles 4 of 13), those with 80
// registers (registers.cpp) 2 of four, split tiles of 128 results in 256 threads 2 of six (6 of 6).
int window_of(const TiledGemm& g, const CodeChoice& choice, int loads) {
    const int window = load_window(choice.generation, g.accumulators(), g.threads, loads);
    if (choice.generation < CodeGeneration::hopper) {
        return window;
    }
    const bool plain = choice.shape == CodeShape::warp_tile;
    const bool short_tier = plain && g.accumulators() == half_results && g.threads == small_block &&
                            g.tile.sub_rows * g.tile.sub_cols >= words_of_quad;
    const bool word_by_word = plain && single_words_of_a(g, choice) && g.s() == words_of_quad;
    if ((short_tier && loads > words_of_quad) || (word_by_word && g.accumulators() == half_results)) {
        return std::min(window, (loads + 1) / 2);
    }
    const bool split =
        choice.shape == CodeShape::split && g.accumulators() > half_results && g.threads > small_block;
    return split ? std::min(window, (loads + 2) / 3) : window;
}

// A is copied word by word because of the transpose.
int copies_per_tile(const TiledGemm& g) {
    return g.a_load.words() / g.a_store_vector + g.b_load.words() / g.b_store_vector;
}

// A body of g.unroll steps.
void plan_body(TiledGemm& g, const CodeChoice& choice) {
    plan_fragments(g, choice);
    const FragmentPlan fragments = fragment_plan(g, choice);
    g.fragment_words = fragments.words;
    g.fragments_late = fragments.late;
    g.loads_first = starts_with_loads(g, choice);
    g.serial_fragments = exposed_fragments(g, choice);
}

// The copies of the k loop, if any differs from it.
void plan_copies(TiledGemm& g, const CodeChoice& choice, const UnrollQuestion& question) {
    constexpr int turns = 4;
    const bool split = choice.shape == CodeShape::split;
    const int count = split ? turns : g.outer_rows * g.outer_cols;
    const LoopCopies all{.rows = g.outer_rows,
                         .cols = g.outer_cols,
                         .threads = g.threads,
                         .square = g.bm == g.bn,
                         .single_words = g.code.single_words};
    std::vector<GemmPtr> copies;
    bool differs = false;
    for (int i = 0; i < count; ++i) {
        const CopySteps steps = copy_steps(choice.generation, question, all, i);
        TiledGemm copy = g;
        copy.unroll = std::min(steps.steps, g.bk);
        copy.steps_addresses = steps.steps_addresses;
        copy.code.unrolled_steps = copy.unroll;
        copy.code.rolled = copy.unroll < copy.bk;
        copy.spilled_words = spilled_results(copy);
        plan_body(copy, choice);
        differs = differs || copy.unroll != g.unroll || copy.steps_addresses;
        copies.push_back(std::make_shared<const TiledGemm>(std::move(copy)));
    }
    if (differs) {
        g.copies = std::move(copies);
    }
}

}  // namespace

void plan_code(TiledGemm& g, const CodeChoice& choice) {
    const bool scheduled = choice.shape == CodeShape::library;
    constexpr int smallest_tile = 4096;
    UnrollQuestion question{.products = g.r() * g.s(),
                            .bk = g.bk,
                            .sub_loops = g.outer_rows * g.outer_cols > 1,
                            .shape = choice.shape,
                            .row_words = g.r(),
                            .column_words = g.s(),
                            .shifted_rows = shifts_rows(g) && g.bm * g.bn <= smallest_tile,
                            .pinned = scheduled ? g.bk : choice.pinned_unroll};
    // Merged sub-tiles are unrolled together with all of k.
    g.unroll = g.merged_sub_tiles ? g.bk : unrolled_steps(choice.generation, question);
    g.spilled_words = scheduled ? 0 : spilled_results(g);
    plan_body(g, choice);
    const int loads = g.a_load.accesses() + g.b_load.accesses();
    g.code = {.generation = choice.generation,
              .shape = choice.shape,
              .threads = g.threads,
              .accumulators = g.accumulators(),
              .row_words = g.r(),
              .column_words = g.s(),
              .outer_tiles = g.outer_rows * g.outer_cols,
              .loads = choice.shape == CodeShape::async ? copies_per_tile(g) : loads,
              .staged_words = g.a_load.words() + g.b_load.words(),
              .depth = g.bk,
              .unrolled_steps = g.unroll,
              .pinned_steps = choice.pinned_unroll,
              .rolled = g.unroll<g.bk, .single_words = single_words_of_a(g, choice),
                                 .local_accumulators = g.local_stores> 0};
    const int most_predicated =
        choice.generation == CodeGeneration::kepler ? most_predicated_loads_kepler : most_predicated_loads;
    g.predicated_prefetch = choice.shape == CodeShape::prefetch && loads <= most_predicated;
    g.load_window = loads_in_rows(choice.shape) ? window_of(g, choice, loads) : loads;
    g.serial_tile_loads = std::ceil(static_cast<double>(loads) / g.load_window);
    g.redundant_a_words = redundant_a_words(g, choice);
    if (!g.merged_sub_tiles) {
        plan_copies(g, choice, question);
    }
}

}  // namespace gpumodel
