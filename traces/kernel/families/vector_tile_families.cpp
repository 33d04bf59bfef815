// vectorized, bank_linearize, bank_extracol, autotuned: 16-byte loads, A stored transposed (kernels 6 to 9 of
// the published ladder).
#include "base/note.h"
#include "traces/kernel/compiler/unroll.h"
#include "traces/kernel/families/derived.h"
#include "traces/kernel/families/family_list.h"
#include "traces/kernel/tiling/vector_tile.h"

namespace gpumodel {

namespace {

struct TileParams {
    int bm = 0, bn = 0, bk = 0, tm = 0, tn = 0;
};

TileParams tile_params(const ParamValues& params) {
    return {int_param(params, "BM"), int_param(params, "BN"), int_param(params, "BK"),
            int_param(params, "TM"), int_param(params, "TN")};
}

ThreadTile thread_grid(int threads, int lanes_per_row, const TileParams& p) {
    return {.group = threads,
            .groups_per_row = 1,
            .group_m = p.bm,
            .group_n = p.bn,
            .lanes_per_row = lanes_per_row,
            .tm = p.tm,
            .tn = p.tn};
}

CodeChoice choice_of(const ParamValues& params, const Target& target, CodeShape shape) {
    return {
        .generation = code_generation(target), .shape = shape, .pinned_unroll = int_param(params, "UNROLL")};
}

// vectorized up to the layout of Bs.
TiledGemm vectorized_gemm(const ParamValues& params, const ProblemShape& shape, RuleCheck& rules) {
    const TileParams p = tile_params(params);
    TiledGemm g;
    g.shape = shape;
    g.bm = p.bm;
    g.bn = p.bn;
    g.bk = p.bk;
    check_vectors(rules, g, p.tn);
    rules.multiple({"BM", p.bm}, {"TM", p.tm}).multiple({"BN", p.bn}, {"TN", p.tn});
    if (!rules.ok()) {
        return g;
    }
    g.threads = p.bm / p.tm * (p.bn / p.tn);
    rules.multiple({"BM*BN/(TM*TN)", g.threads}, {"the warp size", 32})
        .equal({"BM*BK", times(p.bm, p.bk)}, {"4*threads", times(4, g.threads)})
        .equal({"BN*BK", times(p.bn, p.bk)}, {"4*threads", times(4, g.threads)});
    check_shape(rules, shape, g);
    set_vector_loads(g, g.threads);
    set_vector_layouts(g);
    g.tile = thread_grid(g.threads, p.bn / p.tn, p);
    return g;
}

FamilyResult lower_vectorized(const ParamValues& params, const ProblemShape& shape, const Target& target) {
    RuleCheck rules;
    const TiledGemm g = vectorized_gemm(params, shape, rules);
    return lower_gemm(rules, g, choice_of(params, target, CodeShape::one_vector));
}

FamilyResult lower_bank_linearize(const ParamValues& params, const ProblemShape& shape,
                                  const Target& target) {
    RuleCheck rules;
    TiledGemm g = vectorized_gemm(params, shape, rules);
    g.b_shared.order = SharedLayout::Order::linearized;
    g.b_store_vector = 1;
    return lower_gemm(rules, g, choice_of(params, target, CodeShape::one_vector));
}

FamilyResult lower_bank_extracol(const ParamValues& params, const ProblemShape& shape, const Target& target) {
    constexpr int extra_columns = 5;
    RuleCheck rules;
    TiledGemm g = vectorized_gemm(params, shape, rules);
    g.b_shared.pitch = g.bn + extra_columns;
    g.b_shared.buffer_words = g.bk * g.b_shared.pitch;
    g.b_store_vector = 1;
    return lower_gemm(rules, g, choice_of(params, target, CodeShape::one_vector));
}

FamilyResult lower_autotuned(const ParamValues& params, const ProblemShape& shape, const Target& target) {
    constexpr int threads = 256;
    constexpr int side = 16;  // the thread grid is 16 x 16
    const TileParams p = tile_params(params);
    TiledGemm g;
    g.shape = shape;
    g.bm = p.bm;
    g.bn = p.bn;
    g.bk = p.bk;
    g.threads = threads;
    RuleCheck rules;
    check_vectors(rules, g, p.tn);
    rules.multiple({"", times(4, threads)}, {"BK", p.bk})
        .multiple({"", times(4, threads)}, {"BN", p.bn})
        .multiple({"BN", p.bn}, {"16*TN", times(side, p.tn)})
        .multiple({"BM", p.bm}, {"16*TM", times(side, p.tm)})
        .multiple({"BM*BK", times(p.bm, p.bk)}, {"", times(4, threads)})
        .multiple({"BN*BK", times(p.bn, p.bk)}, {"", times(4, threads)});
    check_shape(rules, shape, g);
    if (!rules.ok()) {
        return infeasible(rules.reason());
    }
    set_vector_loads(g, threads);
    set_vector_layouts(g);
    g.tile = thread_grid(threads, side, p);
    const CodeChoice choice = choice_of(params, target, CodeShape::sub_tiles);
    set_sub_tiles(g, {p.bm / (side * p.tm), p.bn / (side * p.tn)}, side, choice);
    FamilyResult result = lower_gemm(rules, g, choice);
    if (g.local_stores > 0 && result.program) {
        result.program->notes.push_back(noted(
            NoteId::local_memory,
            "the compiler keeps the accumulators in local memory here (sub-tile loops are not unrolled)"));
    }
    return result;
}

std::vector<ParamSpec> vector_tile_params(std::int64_t bk) {
    return {tile_param("BM", 128, "rows of C per block"),
            tile_param("BN", 128, "columns of C per block"),
            tile_param("BK", bk, "depth of a tile", 256),
            tile_param("TM", 8, "rows of results per thread", 64),
            tile_param("TN", 8, "columns of results per thread", 64),
            unroll_param()};
}

const char* const vector_rule = "BK, BN and TN are multiples of 4 (16-byte accesses)";
const char* const shape_rule = "M, N, K are multiples of BM, BN, BK";

}  // namespace

Family vectorized_family() {
    Family family;
    family.name = "vectorized";
    family.summary = "blocktile2d with one 16-byte load of A and B per thread and tile, As transposed";
    family.params = vector_tile_params(8);
    family.derived = {thread_tile_threads()};
    family.rules = {vector_rule, "TM divides BM, TN divides BN", "threads = BM*BN/(TM*TN), a multiple of 32",
                    "BM*BK = BN*BK = 4*threads", shape_rule};
    family.lower = lower_vectorized;
    return family;
}

Family bank_linearize_family() {
    Family family = vectorized_family();
    family.name = "bank_linearize";
    family.summary = "vectorized with Bs rearranged so that a thread's words lie 16 apart";
    for (ParamSpec& spec : family.params) {
        spec.fixed = spec.name == "BN" || spec.name == "BK" || spec.name == "TN";
    }
    family.lower = lower_bank_linearize;
    return family;
}

Family bank_extracol_family() {
    Family family = vectorized_family();
    family.name = "bank_extracol";
    family.summary = "vectorized with five unused words after each row of Bs";
    family.lower = lower_bank_extracol;
    return family;
}

Family autotuned_family() {
    Family family;
    family.name = "autotuned";
    family.summary = "256 threads as a 16 x 16 grid over sub-tiles, sub-tile loops outside the k loop";
    family.params = vector_tile_params(16);
    family.derived = {constant_threads<256>(),
                      {"WM", "16*TM", "rows of a sub-tile",
                       [](const ParamValues& p) { return std::optional(16 * p.at("TM")); }},
                      {"WN", "16*TN", "columns of a sub-tile",
                       [](const ParamValues& p) { return std::optional(16 * p.at("TN")); }},
                      {"WMITER", "BM/(16*TM)", "sub-tiles of the block tile, down",
                       [](const ParamValues& p) { return exact_quotient(p.at("BM"), 16 * p.at("TM")); }},
                      {"WNITER", "BN/(16*TN)", "sub-tiles of the block tile, across",
                       [](const ParamValues& p) { return exact_quotient(p.at("BN"), 16 * p.at("TN")); }}};
    family.rules = {vector_rule, "1024 is a multiple of BK and of BN",
                    "BN is a multiple of 16*TN, BM of 16*TM", "BM*BK and BN*BK are multiples of 1024",
                    shape_rule};
    family.lower = lower_autotuned;
    return family;
}

}  // namespace gpumodel
