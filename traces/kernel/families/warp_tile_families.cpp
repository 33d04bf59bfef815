// warptile and its double-buffered relatives.
#include "traces/kernel/compiler/unroll.h"
#include "traces/kernel/families/derived.h"
#include "traces/kernel/families/family_list.h"
#include "traces/kernel/tiling/vector_tile.h"

namespace gpumodel {

namespace {

WarpTileParams warp_tile_params(const ParamValues& params) {
    return {.bm = int_param(params, "BM"),
            .bn = int_param(params, "BN"),
            .bk = int_param(params, "BK"),
            .wm = int_param(params, "WM"),
            .wn = int_param(params, "WN"),
            .wniter = int_param(params, "WNITER"),
            .tm = int_param(params, "TM"),
            .tn = int_param(params, "TN"),
            .threads = int_param(params, "THREADS")};
}

void check_warp_tile(RuleCheck& rules, const WarpTileParams& p, int loading_threads) {
    const int vectors = 4 * loading_threads;
    const char* const vectors_name = loading_threads == p.threads ? "4*THREADS" : "4*THREADS/2";
    rules.multiple({"THREADS", p.threads}, {"the warp size", 32})
        .multiple({"BN", p.bn}, {"WN", p.wn})
        .multiple({"BM", p.bm}, {"WM", p.wm});
    if (!rules.ok()) {
        return;
    }
    rules.equal({"THREADS", p.threads}, {"32*(BN/WN)*(BM/WM)", times(32, p.bn / p.wn, p.bm / p.wm)})
        .multiple({"WM*WN", times(p.wm, p.wn)}, {"32*TM*TN*WNITER", times(32, p.tm, p.tn, p.wniter)});
    if (!rules.ok()) {
        return;
    }
    rules.multiple({"WM", p.wm}, {"WMITER", p.wmiter()}).multiple({"WN", p.wn}, {"WNITER", p.wniter});
    if (!rules.ok()) {
        return;
    }
    rules.multiple({"WN/WNITER", p.wn / p.wniter}, {"TN", p.tn})
        .multiple({"WM/WMITER", p.wm / p.wmiter()}, {"TM", p.tm})
        .multiple({vectors_name, vectors}, {"BK", p.bk})
        .multiple({vectors_name, vectors}, {"BN", p.bn})
        .multiple({"BN", p.bn}, {"16*TN", times(16, p.tn)})
        .multiple({"BM", p.bm}, {"16*TM", times(16, p.tm)})
        .multiple({"BM*BK", times(p.bm, p.bk)}, {vectors_name, vectors})
        .multiple({"BN*BK", times(p.bn, p.bk)}, {vectors_name, vectors});
}

FamilyResult lower_warp_tile(const ParamValues& params, const ProblemShape& shape, const Target& target,
                             CodeShape code) {
    const WarpTileParams p = warp_tile_params(params);
    const int loading_threads = code == CodeShape::split ? p.threads / 2 : p.threads;
    TiledGemm g;
    g.shape = shape;
    g.bm = p.bm;
    g.bn = p.bn;
    g.bk = p.bk;
    g.threads = p.threads;
    g.buffers = code == CodeShape::warp_tile ? 1 : 2;
    RuleCheck rules;
    check_vectors(rules, g, p.tn);
    if (code == CodeShape::split) {
        rules.multiple({"THREADS/2", p.threads / 2}, {"the warp size", 32});
    }
    check_warp_tile(rules, p, loading_threads);
    check_shape(rules, shape, g);
    if (!rules.ok()) {
        return infeasible(rules.reason());
    }
    set_vector_loads(g, loading_threads);
    set_vector_layouts(g);
    g.tile = warp_thread_tile(p);
    return lower_gemm(
        rules, g,
        {.generation = code_generation(target), .shape = code, .pinned_unroll = int_param(params, "UNROLL")});
}

FamilyResult lower_warptile(const ParamValues& params, const ProblemShape& shape, const Target& target) {
    return lower_warp_tile(params, shape, target, CodeShape::warp_tile);
}
FamilyResult lower_doublebuffer(const ParamValues& params, const ProblemShape& shape, const Target& target) {
    return lower_warp_tile(params, shape, target, CodeShape::prefetch);
}
FamilyResult lower_doublebuffer_split(const ParamValues& params, const ProblemShape& shape,
                                      const Target& target) {
    return lower_warp_tile(params, shape, target, CodeShape::split);
}
FamilyResult lower_doublebuffer_async(const ParamValues& params, const ProblemShape& shape,
                                      const Target& target) {
    FamilyResult result = lower_warp_tile(params, shape, target, CodeShape::async);
    if (result.program) {
        constexpr std::int64_t arrive_wait_barrier_bytes = 8;  // __mbarrier_t (CUDA programming guide)
        result.program->resources.static_shared_bytes += 2 * arrive_wait_barrier_bytes;
    }
    return result;
}

std::optional<std::int64_t> wmiter_of(const ParamValues& p) {
    return exact_quotient(p.at("WM") * p.at("WN"), 32 * p.at("TM") * p.at("TN") * p.at("WNITER"));
}

std::vector<DerivedParam> warp_tile_derived() {
    return {{"WMITER", "WM*WN/(32*TM*TN*WNITER)", "sub-tiles of a warp tile, down", wmiter_of},
            {"WSUBM", "WM/WMITER", "rows of such a sub-tile",
             [](const ParamValues& p) {
                 const auto wmiter = wmiter_of(p);
                 return wmiter ? exact_quotient(p.at("WM"), *wmiter) : std::nullopt;
             }},
            {"WSUBN", "WN/WNITER", "columns of such a sub-tile",
             [](const ParamValues& p) { return exact_quotient(p.at("WN"), p.at("WNITER")); }}};
}

std::vector<std::string> warp_tile_rules(bool split) {
    const std::string vectors = split ? "4*THREADS/2" : "4*THREADS";
    std::vector<std::string> rules{
        "BK, BN and TN are multiples of 4 (16-byte accesses)",
        "THREADS is a multiple of 32, BN of WN, BM of WM",
        "THREADS = 32*(BN/WN)*(BM/WM)",
        "WM*WN is a multiple of 32*TM*TN*WNITER; WMITER = WM*WN/(32*TM*TN*WNITER)",
        "WM is a multiple of WMITER, WN of WNITER; WN/WNITER of TN, WM/WMITER of TM",
        vectors + " is a multiple of BK and of BN",
        "BN is a multiple of 16*TN, BM of 16*TM",
        "BM*BK and BN*BK are multiples of " + vectors,
        "M, N, K are multiples of BM, BN, BK"};
    if (split) {
        rules.insert(rules.begin() + 1, "THREADS/2 is a multiple of 32");
    }
    return rules;
}

}  // namespace

Family warptile_family() {
    Family family;
    family.name = "warptile";
    family.summary = "block tiles of warp tiles of thread tiles, 16-byte loads, As transposed";
    family.params = {tile_param("BM", 128, "rows of C per block"),
                     tile_param("BN", 128, "columns of C per block"),
                     tile_param("BK", 16, "depth of a tile", 256),
                     tile_param("WM", 64, "rows of C per warp"),
                     tile_param("WN", 64, "columns of C per warp"),
                     tile_param("WNITER", 4, "sub-tiles of a warp tile, across", 64),
                     tile_param("TM", 8, "rows of results per thread and sub-tile", 32),
                     tile_param("TN", 4, "columns of results per thread and sub-tile", 32),
                     tile_param("THREADS", 128, "threads per block"),
                     unroll_param()};
    family.derived = warp_tile_derived();
    family.rules = warp_tile_rules(false);
    family.lower = lower_warptile;
    return family;
}

Family doublebuffer_family() {
    Family family = warptile_family();
    family.name = "doublebuffer";
    family.summary = "warptile with two shared buffers, the next tile held in registers during the products";
    family.lower = lower_doublebuffer;
    return family;
}

Family doublebuffer_split_family() {
    Family family = warptile_family();
    family.name = "doublebuffer_split";
    family.summary = "warptile with two shared buffers, the block's halves take turns loading and computing";
    const ParamValues defaults{{"BM", 64}, {"BN", 128},   {"BK", 16}, {"WM", 32},      {"WN", 32},
                               {"TM", 4},  {"WNITER", 2}, {"TN", 4},  {"THREADS", 256}};
    for (ParamSpec& spec : family.params) {
        if (const auto found = defaults.find(spec.name); found != defaults.end()) {
            spec.default_value = found->second;
        }
    }
    family.rules = warp_tile_rules(true);
    family.lower = lower_doublebuffer_split;
    return family;
}

Family doublebuffer_async_family() {
    Family family = warptile_family();
    family.name = "doublebuffer_async";
    family.summary = "warptile with two shared buffers filled by asynchronous copies (sm_80 and later)";
    family.min_compute_capability = 80;
    family.lower = lower_doublebuffer_async;
    return family;
}

}  // namespace gpumodel
