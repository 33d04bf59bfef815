#include <algorithm>
#include <array>
#include <stdexcept>
#include <string>

#include "traces/kernel/compiler/registers.h"

namespace gpumodel {

namespace {

struct FamilyShape {
    std::string_view family;
    CodeShape shape;
};

constexpr std::array family_shapes{
    FamilyShape{"naive", CodeShape::direct},
    FamilyShape{"coalesced", CodeShape::direct},
    FamilyShape{"smem", CodeShape::one_result},
    FamilyShape{"blocktile1d", CodeShape::column},
    FamilyShape{"blocktile2d", CodeShape::scalar_rows},
    FamilyShape{"vectorized", CodeShape::one_vector},
    FamilyShape{"bank_linearize", CodeShape::one_vector},
    FamilyShape{"bank_extracol", CodeShape::one_vector},
    FamilyShape{"autotuned", CodeShape::sub_tiles},
    FamilyShape{"warptile", CodeShape::warp_tile},
    FamilyShape{"doublebuffer", CodeShape::prefetch},
    FamilyShape{"doublebuffer_split", CodeShape::split},
    FamilyShape{"doublebuffer_async", CodeShape::async},
    FamilyShape{"ab_simple", CodeShape::guide},
    FamilyShape{"ab_coalesced", CodeShape::guide},
    FamilyShape{"ab_shared", CodeShape::guide},
    FamilyShape{"aat_simple", CodeShape::guide},
    FamilyShape{"aat_coalesced", CodeShape::guide},
    FamilyShape{"aat_padded", CodeShape::guide},
    FamilyShape{"offset_copy", CodeShape::copy},
    FamilyShape{"stride_copy", CodeShape::copy},
    FamilyShape{"transpose_naive", CodeShape::transpose},
    FamilyShape{"transpose_shared", CodeShape::transpose},
    FamilyShape{"transpose_padded", CodeShape::transpose},
    FamilyShape{"cublas_sgemm", CodeShape::library},
};

CodeShape shape_of(std::string_view family) {
    const auto* const found = std::find_if(family_shapes.begin(), family_shapes.end(),
                                           [&](const FamilyShape& entry) { return entry.family == family; });
    if (found == family_shapes.end()) {
        throw std::invalid_argument("register_demand: unknown family " + std::string(family));
    }
    return found->shape;
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

ThreadWork thread_work(CodeShape shape, const Params& p) {
    const int tile = p["BM"] * p["BN"];
    if (shape == CodeShape::column) {
        return {.rows = p["TM"], .cols = 1, .sub_tiles = 1, .threads = tile / std::max(p["TM"], 1)};
    }
    const int results = std::max(p["TM"] * p["TN"], 1);
    if (shape == CodeShape::scalar_rows || shape == CodeShape::one_vector) {
        return {.rows = p["TM"], .cols = p["TN"], .sub_tiles = 1, .threads = tile / results};
    }
    if (shape == CodeShape::sub_tiles) {
        constexpr int threads = 256;  // always
        return {
            .rows = p["TM"], .cols = p["TN"], .sub_tiles = tile / (threads * results), .threads = threads};
    }
    return shape == CodeShape::library ? library_work(p) : warp_tile_work(p);
}

}  // namespace

RegisterDemand register_demand(std::string_view family, const ParamValues& params) {
    constexpr int guide_side = 32;  // the guides' K, and the threads of a side of their blocks
    const Params p(params);
    RegisterDemand demand{.shape = shape_of(family), .unrolled_steps = p["UNROLL"]};
    demand.accumulators = 1;
    demand.row_words = 1;
    demand.fragment_words = 2;
    demand.threads = guide_side * guide_side;
    if (demand.shape == CodeShape::guide) {
        demand.k_steps = guide_side;
    } else if (demand.shape == CodeShape::one_result) {
        demand.k_steps = p["BS"];
        demand.threads = p["BS"] * p["BS"];
        demand.staged_words = 2;
    } else if (demand.shape == CodeShape::copy || demand.shape == CodeShape::transpose) {
        demand.accumulators = 0;
        demand.threads = 256;
        demand.k_steps = demand.shape == CodeShape::copy ? 1 : 4;  // rows of a tile per thread
    } else if (demand.shape != CodeShape::direct) {
        constexpr int library_depth = 8;
        const ThreadWork work = thread_work(demand.shape, p);
        demand.k_steps = demand.shape == CodeShape::library ? library_depth : p["BK"];
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
