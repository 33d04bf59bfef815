#include "traces/kernel/compiler/unroll.h"

#include <algorithm>
#include <array>

namespace gpumodel {

namespace {

// Products of a tile up to which the k loop disappears: listings of all instances (validate/listings),
// without an exception among 237 of sm_70, sm_35 and sm_86 alike.
constexpr int full_products = 2048;
// On sm_90 by shape: warp tiles up to 256; others 128, and 256 in bodies of 4 steps.
constexpr int full_products_hopper = 128;
constexpr int full_products_hopper_warp_tile = 256;
constexpr int shallow = 4;
constexpr int merged_products = 256;  // sub-tile loops unroll with k up to here

// k steps per body by products per step, where the loop stays.
int partial_steps(CodeGeneration generation, const UnrollQuestion& q) {
    if (q.products >= 64) {
        return 1;
    }
    const bool few = q.products < 32;
    if (generation < CodeGeneration::hopper) {
        return few ? 8 : 4;
    }
    if (q.shape == CodeShape::column && !few) {
        return 1;  // one listing, 32 results in a column: word by word
    }
    // The four copies of a split tile, and sub-tiles beside each other, differ among themselves; the most
    // frequent count stands for all.
    if (q.shape == CodeShape::split) {
        return few ? 2 : q.bk > 2 * shallow ? 1 : 4;
    }
    if (q.sub_loops) {
        return few ? 4 : 1;
    }
    if (q.shape == CodeShape::warp_tile && q.shifted_rows) {
        return few ? 2 : 1;  // tiles of 4096: 2 of 2 listings, as 2 of 2 of the others have 8 and 4
    }
    return few ? 8 : 4;
}

int largest_divisor_up_to(int value, int limit) {
    int divisor = std::clamp(limit, 1, value);
    while (value % divisor != 0) {
        --divisor;
    }
    return divisor;
}

bool in_branchy_tile(const UnrollQuestion& q) {
    return q.shape == CodeShape::prefetch || q.shape == CodeShape::split || q.shape == CodeShape::async;
}

// 32 products, 16 steps: three bodies of 5 steps and one step behind them.
bool leaves_one_step(CodeGeneration generation, const UnrollQuestion& q) {
    const bool rolled_everywhere = in_branchy_tile(q) && q.shape != CodeShape::split;
    const bool one_loop = generation >= CodeGeneration::hopper && !q.sub_loops && !in_branchy_tile(q) &&
                          q.shape != CodeShape::column;
    return (rolled_everywhere || one_loop) && q.products == 32 && q.bk == 16;
}

bool unrolls_fully(CodeGeneration generation, const UnrollQuestion& q) {
    const int all = q.products * q.bk;
    if (q.sub_loops) {
        return all <= merged_products;
    }
    if (in_branchy_tile(q)) {
        return false;
    }
    if (generation < CodeGeneration::hopper) {
        return all <= full_products;
    }
    if (q.shape == CodeShape::column) {
        return all <= full_products_hopper && q.products < 32;
    }
    const bool more =
        q.shape == CodeShape::warp_tile || (q.shape == CodeShape::one_vector && q.bk <= shallow);
    return all <= (more ? full_products_hopper_warp_tile : full_products_hopper);
}

}  // namespace

CodeGeneration code_generation(const Target& target) {
    const int cc = target.cc.number();
    if (cc < 50) {
        return CodeGeneration::kepler;
    }
    if (cc < 75) {
        return CodeGeneration::volta;
    }
    if (cc < 90) {
        return CodeGeneration::ampere;
    }
    return cc < 100 ? CodeGeneration::hopper : CodeGeneration::blackwell;
}

int listings_generation(const Target& target) {
    constexpr std::array studied{120, 100, 90, 86, 80, 70};
    const int cc = target.cc.number();
    if (cc < 50) {
        return 35;
    }
    const auto* const found =
        std::find_if(studied.begin(), studied.end(), [cc](int known) { return known <= cc; });
    return found == studied.end() ? studied.back() : *found;
}

int unrolled_steps(CodeGeneration generation, const UnrollQuestion& q) {
    if (q.pinned > 0) {
        return largest_divisor_up_to(q.bk, q.pinned);
    }
    if (unrolls_fully(generation, q)) {
        return q.bk;
    }
    if (leaves_one_step(generation, q)) {
        return 5;
    }
    return largest_divisor_up_to(q.bk, partial_steps(generation, q));
}

namespace {

constexpr int wide_step = 32;  // products per step

// Listings of sm_90, 30 tiles tuned on: of 16 products the first copy has 8 steps (9 of 64), the others 5 (4
// of 64), unless there are many sub-tiles or one above the other alone; of 32 all have one, but for the first
// of two in a square tile, in a broad one of 16 steps, and for eight sub-tiles, whose results do not fit.
CopySteps sub_tile_steps(const UnrollQuestion& q, const LoopCopies& copies, int index) {
    constexpr int few = 4;
    constexpr int deep = 64;
    const int count = copies.rows * copies.cols;
    const bool first = index == 0;
    if (q.products < wide_step) {
        const bool tall = copies.cols == 1 && copies.rows > 2;
        if (first && count <= few && !tall) {
            return {q.bk >= deep ? 9 : 8, true};
        }
        return {q.bk >= deep ? 4 : 5, false};
    }
    if (count > few) {
        return {4, false};
    }
    if (!first || count > 2) {
        return {1, false};
    }
    const bool columns = q.row_words < q.column_words;
    const bool shallow_tile = q.bk <= 4 * shallow;
    if (copies.square) {
        return {4, columns && shallow_tile};
    }
    return copies.cols > 1 && shallow_tile ? CopySteps{5, true} : CopySteps{1, false};
}

// Listings of sm_90, 13 tiles tuned on: the first copy steps its addresses in blocks of 128 threads, and
// where words of A come one by one; the others have one step of 32 products (18 of 27), four where a single
// row of words of A does.
CopySteps split_steps(const UnrollQuestion& q, const LoopCopies& copies, int index) {
    constexpr int few_threads = 128;
    const bool columns = q.row_words < q.column_words;
    if (q.products < wide_step) {
        return {index == 0 && copies.single_words ? 8 : 2, false};
    }
    const bool small = copies.threads <= few_threads;
    if (index == 0 && small) {
        return {4, columns};
    }
    return {small && copies.single_words && columns ? 4 : 1, false};
}

}  // namespace

CopySteps copy_steps(CodeGeneration generation, const UnrollQuestion& q, const LoopCopies& copies,
                     int index) {
    constexpr int many = 64;
    const bool by_itself = q.pinned > 0 || generation != CodeGeneration::hopper || q.products >= many ||
                           unrolls_fully(generation, q);
    if (!by_itself && q.shape == CodeShape::split) {
        return split_steps(q, copies, index);
    }
    if (!by_itself && q.sub_loops && q.shape == CodeShape::sub_tiles) {
        return sub_tile_steps(q, copies, index);
    }
    return {unrolled_steps(generation, q), false};
}

bool merges_sub_tiles(CodeGeneration generation, const UnrollQuestion& q) {
    if (!q.sub_loops) {
        return false;
    }
    if (q.pinned > 0) {
        return q.pinned >= q.bk;
    }
    return generation < CodeGeneration::hopper && q.products * q.bk <= merged_products;
}

bool spills_accumulators(CodeGeneration generation, int rows, int cols, const UnrollQuestion& q) {
    const int all = q.products * q.bk;
    if (!q.sub_loops || q.pinned > 0) {
        return false;
    }
    // Stack frames of all 93 tiles of autotuned on sm_100 and sm_120: what little unrolls, and what registers
    // cannot hold.
    constexpr int little = 128, too_many = 256;
    if (generation == CodeGeneration::blackwell) {
        return all <= little || rows * cols * q.products >= too_many;
    }
    if (all > merged_products || generation == CodeGeneration::hopper) {
        return all <= merged_products;
    }
    // Stack frames of autotuned in tests/traces/kernel/ptxas_registers.csv: 38 of 40 tiles on sm_70 (sm_75,
    // 80 and 86 alike), all of sm_35's 20.
    constexpr int few_products = 128;
    return rows > 1 && cols > 1 && all > few_products && rows * q.row_words >= cols * q.column_words;
}

// Listings of 15 instances (nvcc 11.8, sm_90): columns are unrolled first, then rows, while the body stays
// within merged_products.
SpilledLoops spilled_loops(int rows, int cols, const UnrollQuestion& q) {
    const int all = q.products * q.bk;
    const bool single = rows == 1 || cols == 1;
    const bool cols_unrolled = all * cols <= merged_products;
    const bool rows_unrolled = all * rows <= merged_products;
    return {.b_once = single || cols_unrolled,
            .stores_every_step = !single && !cols_unrolled && !rows_unrolled};
}

int load_window(CodeGeneration generation, int accumulators, int threads, int loads) {
    constexpr int all_on_hopper = 6;
    constexpr int all_elsewhere = 12;  // "a bit larger (6 + 6)"
    const bool hopper = generation >= CodeGeneration::hopper;
    // sm_35: one level in 46 of 48 instances
    if (generation == CodeGeneration::kepler || loads <= (hopper ? all_on_hopper : all_elsewhere)) {
        return loads;
    }
    if (!hopper) {
        return all_elsewhere;
    }
    if (accumulators < 128) {
        return 4;
    }
    return threads <= 128 ? 5 : 6;
}

}  // namespace gpumodel
