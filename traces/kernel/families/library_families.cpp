// cublas_sgemm: vendor-style library tiles. 8-deep k tiles, two shared buffers, the next tile held in
// registers, edge tiles padded. Stands for hand-scheduled code: the k steps are unrolled, fragments are
// prefetched, and no instruction is spent that the schedule does not need.
//
// The tile is the one in the library kernel's name. Threads as in traces of NVIDIA's kernels on a V100
// (v100_pcie_cublas_sgemm.csv): 128x128 with 256 threads, 128x64 with 128, 64x64 with 64, 32x128 and
// 128x32 with 256; so 8x8 results per thread where both sides are at least 64, else 4x4. The layout
// inside (4x4 fragments of a 64x32 or 32x16 warp tile, As padded by four words) is ours. Loads are of
// single words, as no alignment of the matrices is asked for. K-sliced variants are not covered.
#include <algorithm>

#include "traces/kernel/compiler/unroll.h"
#include "traces/kernel/families/derived.h"
#include "traces/kernel/families/family_list.h"
#include "traces/kernel/tiling/vector_tile.h"

namespace gpumodel {

namespace {

constexpr int depth = 8;     // k tile
constexpr int fragment = 4;  // words per fragment piece
constexpr int padding = 4;   // words after each row of As: transposed stores without bank conflicts
constexpr int large_side = 64;

WarpTileParams library_tile(int bm, int bn) {
    const bool large = std::min(bm, bn) >= large_side;
    WarpTileParams p{.bm = bm, .bn = bn, .bk = depth, .tm = fragment, .tn = fragment};
    p.wm = large ? 64 : 32;
    p.wn = large ? 32 : 16;
    p.wniter = large ? 2 : 1;
    p.threads = 32 * (bm / p.wm) * (bn / p.wn);
    return p;
}

std::optional<std::int64_t> library_threads(const ParamValues& params) {
    const WarpTileParams p = library_tile(int_param(params, "BM"), int_param(params, "BN"));
    return p.bm % p.wm == 0 && p.bn % p.wn == 0 ? std::optional<std::int64_t>(p.threads) : std::nullopt;
}

void set_library_layouts(TiledGemm& g) {
    const int a_pitch = g.bm + padding;
    const int a_words = depth * a_pitch;
    g.a_shared = {
        .order = SharedLayout::Order::transposed, .pitch = a_pitch, .base = 0, .buffer_words = a_words};
    g.b_shared = {.order = SharedLayout::Order::row_major,
                  .pitch = g.bn,
                  .base = g.buffers * a_words,
                  .buffer_words = depth * g.bn};
    g.a_load = {.rows = g.bm, .cols = depth, .vector = 1, .threads = g.threads};
    g.b_load = {.rows = depth, .cols = g.bn, .vector = 1, .threads = g.threads};
}

FamilyResult lower_cublas_sgemm(const ParamValues& params, const ProblemShape& shape, const Target& target) {
    const int bm = int_param(params, "BM");
    const int bn = int_param(params, "BN");
    RuleCheck rules;
    rules.multiple({"BM", bm}, {"", 32}).multiple({"BN", bn}, {"", 32});
    if (!rules.ok()) {
        return infeasible(rules.reason());
    }
    const WarpTileParams p = library_tile(bm, bn);
    TiledGemm g;
    g.shape = shape;
    g.bm = bm;
    g.bn = bn;
    g.bk = depth;
    g.threads = p.threads;
    g.buffers = 2;
    g.padded = shape.m % bm != 0 || shape.n % bn != 0 || shape.k % depth != 0;
    rules.multiple({"BM", bm}, {"the warp tile's rows", p.wm})
        .multiple({"BN", bn}, {"the warp tile's columns", p.wn});
    if (rules.ok()) {
        rules.multiple({"8*BM", times(depth, bm)}, {"threads", p.threads})
            .multiple({"8*BN", times(depth, bn)}, {"threads", p.threads})
            .multiple({"threads", p.threads}, {"BN", bn});
    }
    if (!rules.ok()) {
        return infeasible(rules.reason());
    }
    set_library_layouts(g);
    g.tile = warp_thread_tile(p);
    return lower_gemm(rules, g, {.generation = code_generation(target), .shape = CodeShape::library});
}

}  // namespace

Family cublas_sgemm_family() {
    Family family;
    family.name = "cublas_sgemm";
    family.summary = "vendor-style library tile, hand-scheduled, any shape (edge tiles padded)";
    family.params = {tile_param("BM", 128, "rows of C per block, from the library kernel's name", 256),
                     tile_param("BN", 128, "columns of C per block", 256)};
    family.derived = {{"THREADS", "BM*BN/64 where both are at least 64, else BM*BN/16", "threads per block",
                       library_threads},
                      constant_param<depth>("BK", "depth of a tile")};
    family.rules = {
        "BM and BN are multiples of 32; of 64 and 32 where both are at least 64",
        "threads = BM*BN/64 where both are at least 64, else BM*BN/16; 8*BM and 8*BN are multiples of it"};
    family.signature = "";
    family.lower = lower_cublas_sgemm;
    return family;
}

}  // namespace gpumodel
