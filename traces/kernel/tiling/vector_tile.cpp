#include "traces/kernel/tiling/vector_tile.h"

#include "traces/kernel/compiler/unroll.h"

namespace gpumodel {

namespace {

constexpr int vector = 4;

}  // namespace

void check_vectors(RuleCheck& rules, const TiledGemm& g, int tn) {
    rules.multiple({"BK", g.bk}, {"", vector})
        .multiple({"BN", g.bn}, {"", vector})
        .multiple({"TN", tn}, {"", vector});
}

void set_vector_loads(TiledGemm& g, int loading_threads) {
    g.a_load = {.rows = g.bm, .cols = g.bk, .vector = vector, .threads = loading_threads};
    g.b_load = {.rows = g.bk, .cols = g.bn, .vector = vector, .threads = loading_threads};
    g.a_store_vector = 1;
    g.b_store_vector = vector;
    g.result_vector = vector;
}

void set_vector_layouts(TiledGemm& g) {
    const int a_words = g.bm * g.bk;
    const int b_words = g.bk * g.bn;
    g.a_shared = {
        .order = SharedLayout::Order::transposed, .pitch = g.bm, .base = 0, .buffer_words = a_words};
    g.b_shared = {.order = SharedLayout::Order::row_major,
                  .pitch = g.bn,
                  .base = g.buffers * a_words,
                  .buffer_words = b_words};
}

void set_sub_tiles(TiledGemm& g, SubTiles count, int side, const CodeChoice& choice) {
    const UnrollQuestion question{.products = g.tile.tm * g.tile.tn,
                                  .bk = g.bk,
                                  .sub_loops = count.rows * count.cols > 1,
                                  .shape = choice.shape,
                                  .row_words = g.tile.tm,
                                  .column_words = g.tile.tn,
                                  .pinned = choice.pinned_unroll};
    const bool spills = spills_accumulators(choice.generation, count.rows, count.cols, question);
    const auto spilled = spilled_loops(count.rows, count.cols, question);
    const bool merged = merges_sub_tiles(choice.generation, question);
    const bool merges_rows = spills ? spilled.b_once : merged;
    const bool merges_cols = merged || spills;
    (merges_rows ? g.tile.sub_rows : g.outer_rows) = count.rows;
    (merges_cols ? g.tile.sub_cols : g.outer_cols) = count.cols;
    (merges_rows ? g.tile.sub_m : g.outer_m) = side * g.tile.tm;
    (merges_cols ? g.tile.sub_n : g.outer_n) = side * g.tile.tn;
    g.merged_sub_tiles = merges_cols;
    if (spills) {
        g.local_stores = spilled.stores_every_step ? g.bk : 1;
    }
}

ThreadTile warp_thread_tile(const WarpTileParams& p) {
    const int sub_n = p.wn / p.wniter;
    return {.group = 32,
            .groups_per_row = p.bn / p.wn,
            .group_m = p.wm,
            .group_n = p.wn,
            .lanes_per_row = sub_n / p.tn,
            .tm = p.tm,
            .tn = p.tn,
            .sub_rows = p.wmiter(),
            .sub_cols = p.wniter,
            .sub_m = p.wm / p.wmiter(),
            .sub_n = sub_n};
}

}  // namespace gpumodel
