#include <algorithm>
#include <array>
#include <stdexcept>
#include <string>

#include "traces/kernel/compiler/registers.h"

namespace gpumodel {

namespace {

struct FamilyScheme {
    std::string_view family, scheme;
};

constexpr std::array family_schemes{
    FamilyScheme{"naive", "naive"},
    FamilyScheme{"coalesced", "naive"},
    FamilyScheme{"smem", "smem"},
    FamilyScheme{"blocktile1d", "tile1d"},
    FamilyScheme{"blocktile2d", "tile2d"},
    FamilyScheme{"vectorized", "vector_tile"},
    FamilyScheme{"bank_linearize", "vector_tile"},
    FamilyScheme{"bank_extracol", "vector_tile"},
    FamilyScheme{"autotuned", "sub_tile"},
    FamilyScheme{"warptile", "warp_tile"},
    FamilyScheme{"doublebuffer", "double_buffer"},
    FamilyScheme{"doublebuffer_split", "double_buffer_split"},
    FamilyScheme{"doublebuffer_async", "async"},
    FamilyScheme{"ab_simple", "guide"},
    FamilyScheme{"ab_coalesced", "guide"},
    FamilyScheme{"ab_shared", "guide"},
    FamilyScheme{"aat_simple", "guide"},
    FamilyScheme{"aat_coalesced", "guide"},
    FamilyScheme{"aat_padded", "guide"},
    FamilyScheme{"offset_copy", "copy"},
    FamilyScheme{"stride_copy", "copy"},
    FamilyScheme{"transpose_naive", "transpose"},
    FamilyScheme{"transpose_shared", "transpose"},
    FamilyScheme{"transpose_padded", "transpose"},
    FamilyScheme{"cublas_sgemm", "library"},
};

std::string_view scheme_of(std::string_view family) {
    const auto* const found = std::find_if(family_schemes.begin(), family_schemes.end(),
                                           [&](const FamilyScheme& entry) { return entry.family == family; });
    if (found == family_schemes.end()) {
        throw std::invalid_argument("register_demand: unknown family " + std::string(family));
    }
    return found->scheme;
}

// Block tile, thread tile and threads of a tiled family. `rows` x `cols` results in each of `sub_tiles`.
struct ThreadWork {
    int rows = 1, cols = 1, sub_tiles = 1, threads = 0;
};

class Params {
public:
    explicit Params(const ParamValues& values) : values_(values) {}
    int operator[](const std::string& name) const {
        const auto found = values_.find(name);
        return found == values_.end() ? 0 : static_cast<int>(found->second);
    }

private:
    const ParamValues& values_;
};

ThreadWork warp_tile_work(const Params& p) {
    const int rows = p["WM"] * p["WN"] / std::max(32 * p["TN"] * p["WNITER"], 1);  // WMITER * TM
    return {.rows = rows, .cols = p["WNITER"] * p["TN"], .sub_tiles = 1, .threads = p["THREADS"]};
}

// the vendor tiles have 8x8 results per thread where both sides are at least 64, else 4x4.
ThreadWork library_work(const Params& p) {
    const int side = std::min(p["BM"], p["BN"]) >= 64 ? 8 : 4;
    return {.rows = side, .cols = side, .sub_tiles = 1, .threads = p["BM"] * p["BN"] / (side * side)};
}

ThreadWork thread_work(std::string_view scheme, const Params& p) {
    const int tile = p["BM"] * p["BN"];
    if (scheme == "tile1d") {
        return {.rows = p["TM"], .cols = 1, .sub_tiles = 1, .threads = tile / std::max(p["TM"], 1)};
    }
    const int results = std::max(p["TM"] * p["TN"], 1);
    if (scheme == "tile2d" || scheme == "vector_tile") {
        return {.rows = p["TM"], .cols = p["TN"], .sub_tiles = 1, .threads = tile / results};
    }
    if (scheme == "sub_tile") {
        constexpr int threads = 256;  // always
        return {
            .rows = p["TM"], .cols = p["TN"], .sub_tiles = tile / (threads * results), .threads = threads};
    }
    return scheme == "library" ? library_work(p) : warp_tile_work(p);
}

}  // namespace

RegisterDemand register_demand(std::string_view family, const ParamValues& params) {
    constexpr int guide_side = 32;  // the guides' K, and the threads of a side of their blocks
    const Params p(params);
    RegisterDemand demand{.scheme = scheme_of(family), .unrolled_steps = p["UNROLL"]};
    demand.accumulators = 1;
    demand.row_words = 1;
    demand.fragment_words = 2;
    demand.threads = guide_side * guide_side;
    if (demand.scheme == "guide") {
        demand.k_steps = guide_side;
    } else if (demand.scheme == "smem") {
        demand.k_steps = p["BS"];
        demand.threads = p["BS"] * p["BS"];
        demand.staged_words = 2;
    } else if (demand.scheme == "copy" || demand.scheme == "transpose") {
        demand.accumulators = 0;
        demand.threads = 256;
        demand.k_steps = demand.scheme == "copy" ? 1 : 4;  // rows of a tile per thread
    } else if (demand.scheme != "naive") {
        constexpr int library_depth = 8;
        const ThreadWork work = thread_work(demand.scheme, p);
        demand.k_steps = demand.scheme == "library" ? library_depth : p["BK"];
        demand.accumulators = work.rows * work.cols * work.sub_tiles;
        demand.row_words = work.rows;
        demand.fragment_words = work.rows + work.cols;
        demand.sub_tiles = work.sub_tiles;
        demand.threads = work.threads;
        demand.even_tiles = p["BM"] == p["BN"];
        demand.staged_words = (p["BM"] + p["BN"]) * demand.k_steps / std::max(work.threads, 1);
    }
    return demand;
}

}  // namespace gpumodel
