// smem, blocktile1d, blocktile2d: shared tiles, scalar staging (the published ladder's kernels
// 3 to 5).
#include "traces/kernel/compiler/unroll.h"
#include "traces/kernel/families/derived.h"
#include "traces/kernel/families/family_list.h"

namespace gpumodel {

namespace {

// Tiles as they come: As row-major with pitch BK, Bs with pitch BN.
void set_plain_layouts(TiledGemm& g) {
    const int a_words = g.bm * g.bk;
    const int b_words = g.bk * g.bn;
    g.a_shared = {.order = SharedLayout::Order::row_major, .pitch = g.bk, .base = 0, .buffer_words = a_words};
    g.b_shared = {
        .order = SharedLayout::Order::row_major, .pitch = g.bn, .base = a_words, .buffer_words = b_words};
}

void set_scalar_loads(TiledGemm& g) {
    g.a_load = {.rows = g.bm, .cols = g.bk, .vector = 1, .threads = g.threads};
    g.b_load = {.rows = g.bk, .cols = g.bn, .vector = 1, .threads = g.threads};
}

// One group: thread rows of `lanes_per_row` threads with tm x tn results each.
ThreadTile whole_block_tile(const TiledGemm& g, int tm, int tn) {
    return {.group = g.threads,
            .groups_per_row = 1,
            .group_m = g.bm,
            .group_n = g.bn,
            .lanes_per_row = g.bn / tn,
            .tm = tm,
            .tn = tn};
}

FamilyResult lower_smem(const ParamValues& params, const ProblemShape& shape, const Target& target) {
    const int bs = int_param(params, "BS");
    TiledGemm g;
    g.shape = shape;
    g.bm = g.bn = g.bk = bs;
    g.threads = bs * bs;
    g.row_is_x = true;
    RuleCheck rules;
    rules.multiple({"BS*BS", g.threads}, {"the warp size", 32})
        .multiple({"M", shape.m}, {"BS", bs})
        .multiple({"N", shape.n}, {"BS", bs})
        .multiple({"K", shape.k}, {"BS", bs});
    set_plain_layouts(g);
    set_scalar_loads(g);
    g.tile = whole_block_tile(g, 1, 1);
    return lower_gemm(rules, g,
                      {.generation = code_generation(target),
                       .shape = CodeShape::one_result,
                       .pinned_unroll = int_param(params, "UNROLL")});
}

FamilyResult lower_blocktile1d(const ParamValues& params, const ProblemShape& shape, const Target& target) {
    TiledGemm g;
    g.shape = shape;
    g.bm = int_param(params, "BM");
    g.bn = int_param(params, "BN");
    g.bk = int_param(params, "BK");
    const int tm = int_param(params, "TM");
    g.threads = g.bm * g.bn / tm;
    RuleCheck rules;
    rules.multiple({"BM", g.bm}, {"TM", tm})
        .equal({"BM*BK", times(g.bm, g.bk)}, {"BM*BN/TM", g.threads})
        .equal({"BN*BK", times(g.bn, g.bk)}, {"BM*BN/TM", g.threads})
        .multiple({"BM*BN/TM", g.threads}, {"the warp size", 32});
    check_shape(rules, shape, g);
    set_plain_layouts(g);
    set_scalar_loads(g);
    g.tile = whole_block_tile(g, tm, 1);
    return lower_gemm(rules, g,
                      {.generation = code_generation(target),
                       .shape = CodeShape::column,
                       .pinned_unroll = int_param(params, "UNROLL")});
}

FamilyResult lower_blocktile2d(const ParamValues& params, const ProblemShape& shape, const Target& target) {
    TiledGemm g;
    g.shape = shape;
    g.bm = int_param(params, "BM");
    g.bn = int_param(params, "BN");
    g.bk = int_param(params, "BK");
    const int tm = int_param(params, "TM");
    const int tn = int_param(params, "TN");
    RuleCheck rules;
    rules.multiple({"BM", g.bm}, {"TM", tm}).multiple({"BN", g.bn}, {"TN", tn});
    if (!rules.ok()) {
        return infeasible(rules.reason());
    }
    g.threads = g.bm / tm * (g.bn / tn);
    const Quantity threads{"BM*BN/(TM*TN)", g.threads};
    rules.multiple(threads, {"the warp size", 32})
        .multiple(threads, {"BK", g.bk})
        .multiple(threads, {"BN", g.bn});
    if (rules.ok()) {
        rules.multiple({"BM", g.bm}, {"threads/BK", g.threads / g.bk})
            .multiple({"BK", g.bk}, {"threads/BN", g.threads / g.bn});
    }
    check_shape(rules, shape, g);
    set_plain_layouts(g);
    set_scalar_loads(g);
    g.tile = whole_block_tile(g, tm, tn);
    return lower_gemm(rules, g,
                      {.generation = code_generation(target),
                       .shape = CodeShape::scalar_rows,
                       .pinned_unroll = int_param(params, "UNROLL")});
}

}  // namespace

Family smem_family() {
    Family family;
    family.name = "smem";
    family.summary = "square tiles of A and B in shared memory, one result per thread";
    family.params = {tile_param("BS", 32, "side of the tiles; BS*BS threads", 32), unroll_param()};
    family.derived = {{"THREADS", "BS*BS", "threads per block",
                       [](const ParamValues& p) { return std::optional(p.at("BS") * p.at("BS")); }}};
    for (const auto& [name, meaning] : {std::pair{"BM", "rows of C per block"},
                                        {"BN", "columns of C per block"},
                                        {"BK", "depth of a tile"}}) {
        family.derived.push_back(
            {name, "BS", meaning, [](const ParamValues& p) { return std::optional(p.at("BS")); }});
    }
    family.rules = {"BS*BS is a multiple of 32", "M, N and K are multiples of BS"};
    family.lower = lower_smem;
    return family;
}

Family blocktile1d_family() {
    Family family;
    family.name = "blocktile1d";
    family.summary = "TM results of one column per thread, one word of A and B loaded per thread and tile";
    family.params = {tile_param("BM", 64, "rows of C per block"),
                     tile_param("BN", 64, "columns of C per block"), tile_param("BK", 8, "depth of a tile"),
                     tile_param("TM", 8, "results per thread", 64), unroll_param()};
    family.derived = {
        {"THREADS", "BM*BN/TM", "threads per block",
         [](const ParamValues& p) { return exact_quotient(p.at("BM") * p.at("BN"), p.at("TM")); }},
        constant_param<1>("TN", "columns of results per thread")};
    family.rules = {"threads = BM*BN/TM, a multiple of 32", "BM*BK = BN*BK = threads",
                    "M, N, K are multiples of BM, BN, BK"};
    family.lower = lower_blocktile1d;
    return family;
}

Family blocktile2d_family() {
    Family family;
    family.name = "blocktile2d";
    family.summary = "TM x TN results per thread, scalar loads in row steps, As row-major";
    family.params = {tile_param("BM", 128, "rows of C per block"),
                     tile_param("BN", 128, "columns of C per block"),
                     tile_param("BK", 8, "depth of a tile", 128),
                     tile_param("TM", 8, "rows of results per thread", 64),
                     tile_param("TN", 8, "columns of results per thread", 64),
                     unroll_param()};
    family.derived = {thread_tile_threads()};
    family.rules = {"threads = BM*BN/(TM*TN), a multiple of 32, BK and BN", "TM divides BM, TN divides BN",
                    "threads/BK divides BM, threads/BN divides BK", "M, N, K are multiples of BM, BN, BK"};
    family.lower = lower_blocktile2d;
    return family;
}

}  // namespace gpumodel
