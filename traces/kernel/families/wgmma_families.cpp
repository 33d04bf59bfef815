// Matrix products by warp groups (validate/kernels/wgmma_tile.cuh): tensor copies into swizzled shared
// memory, wgmma out of it. Like the products of single warps (mma_families.cpp) they have no code generator.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "traces/kernel/families/derived.h"
#include "traces/kernel/families/family_list.h"

namespace gpumodel {

namespace {

constexpr std::int64_t group_threads = 128;
constexpr std::int64_t product_rows = 64;        // of C per wgmma
constexpr std::int64_t box_columns = 64;         // 128 bytes, the widest swizzle
constexpr std::int64_t most_side = 256;          // rows of a box; columns of a wgmma
constexpr std::int64_t most_sums = 192;          // per thread, beside addresses in 240 registers
constexpr std::int64_t group_element_bytes = 2;  // f16 and bf16
constexpr std::int64_t group_sum_bytes = 4;
constexpr std::int64_t barrier_bytes = 16;  // two barriers per stage

struct GroupTile {
    std::int64_t bm, bn, bk, stages;
    std::int64_t consumers = 1;
    std::int64_t producers = 0;  // warp groups that copy only

    [[nodiscard]] std::int64_t threads() const { return group_threads * (consumers + producers); }
    [[nodiscard]] std::int64_t sums() const { return bm * bn / (group_threads * consumers); }
    [[nodiscard]] std::int64_t shared_bytes() const {
        return stages * (group_element_bytes * (bm + bn) * bk + barrier_bytes);
    }
};

void check_group_tile(RuleCheck& rules, const GroupTile& t, const ProblemShape& shape, const Target& target) {
    rules.multiple({"BM", t.bm}, {"64*CONSUMERS", product_rows * t.consumers})
        .at_most({"BM", t.bm}, {"the rows of a box of a tensor copy", most_side})
        .multiple({"BN", t.bn}, {"the columns of a swizzled box of 128 bytes", box_columns})
        .at_most({"BN", t.bn}, {"the columns of a wgmma", most_side})
        .multiple({"BK", t.bk}, {"the columns of a swizzled box of 128 bytes", box_columns})
        .at_most({"BK", t.bk}, {"the rows of a box of a tensor copy", most_side})
        .at_most({"sums per thread = BM*BN/(128*CONSUMERS)", t.sums()},
                 {"what its registers hold beside addresses", most_sums})
        .at_most({"shared memory per block = STAGES*(2*(BM + BN)*BK + 16)", t.shared_bytes()},
                 {"what a block of the architecture may have", target.max_shared_per_block})
        .multiple({"M", shape.m}, {"BM", t.bm})
        .multiple({"N", shape.n}, {"BN", t.bn})
        .multiple({"K", shape.k}, {"BK", t.bk});
}

FamilyResult lower_group(const GroupTile& t, const ProblemShape& shape, const Target& target) {
    RuleCheck rules;
    check_group_tile(rules, t, shape, target);
    if (!rules.ok()) {
        return infeasible(rules.reason());
    }
    FamilyResult result;
    auto& program = result.program.emplace();
    program.grid = {shape.n / t.bn, shape.m / t.bm, 1};
    program.block = {t.threads(), 1, 1};
    program.resources.threads = static_cast<int>(t.threads());
    program.resources.dynamic_shared_bytes = t.shared_bytes();
    const std::int64_t a = group_element_bytes * shape.m * shape.k,
                       b = group_element_bytes * shape.k * shape.n;
    const std::int64_t c = group_sum_bytes * shape.m * shape.n;
    program.arrays = {{"A", a, true, false}, {"B", b, true, false}, {"C", c, false, true}};
    program.c_is_read = false;
    program.flops =
        2.0 * static_cast<double>(shape.m) * static_cast<double>(shape.n) * static_cast<double>(shape.k);
    program.effective_bytes = static_cast<double>(a + b + c);
    return result;
}

GroupTile group_tile(const ParamValues& params) {
    return {
        .bm = params.at("BM"), .bn = params.at("BN"), .bk = params.at("BK"), .stages = params.at("STAGES")};
}

FamilyResult lower_wgmma_tma(const ParamValues& params, const ProblemShape& shape, const Target& target) {
    return lower_group(group_tile(params), shape, target);
}

FamilyResult lower_wgmma_warp_specialized(const ParamValues& params, const ProblemShape& shape,
                                          const Target& target) {
    auto tile = group_tile(params);
    tile.consumers = params.at("CONSUMERS");
    tile.producers = 1;
    auto result = lower_group(tile, shape, target);
    if (result.program) {
        auto& grid = result.program->grid;
        const auto tiles = grid.x * grid.y;
        grid = {params.at("PERSISTENT") == 0 ? tiles : std::min<std::int64_t>(tiles, target.sm_count), 1, 1};
    }
    return result;
}

// M, N, K, maps of A and B, C.
std::string wgmma_arguments(const KernelProgram& p, const ParamValues& resolved) {
    constexpr std::array types{"f16", "bf16"};  // of TYPE
    const auto* type = types.at(static_cast<std::size_t>(resolved.at("TYPE")));
    const auto map = [type](std::int64_t bytes, std::int64_t columns, std::int64_t rows,
                            std::int64_t box_rows) {
        return fmt::format("tmap(ptr:{}B,{},{}x{},{},{}x{},128)", bytes, type, columns, rows,
                           group_element_bytes * columns, box_columns, box_rows);
    };
    return fmt::format("{},{},{},{},{},ptr:{}B", p.m, p.n, p.k,
                       map(p.arrays.at(0).bytes, p.k, p.m, resolved.at("BM")),
                       map(p.arrays.at(1).bytes, p.n, p.k, resolved.at("BK")), p.arrays.at(2).bytes);
}

Family wgmma_family(std::string name, std::string summary) {
    Family family;
    family.name = std::move(name);
    family.summary = std::move(summary);
    family.rules = {"BN and BK are multiples of 64: boxes of 128 bytes, swizzled",
                    "BM, BN and BK are at most 256: rows of a box, columns of a wgmma",
                    "STAGES*(2*(BM + BN)*BK + 16) bytes are at most what a block may have (227 KiB)",
                    "M, N, K are multiples of BM, BN, BK"};
    family.min_compute_capability = 90;
    family.only_target = "sm_90a";
    family.arguments = wgmma_arguments;
    family.signature =
        "int, int, int, const __grid_constant__ TensorMap, const __grid_constant__ TensorMap, float*";
    family.generated = false;
    return family;
}

void add_block(Family& family, std::int64_t bn) {
    family.params = {tile_param("BM", 128, "rows of C per block", most_side),
                     tile_param("BN", bn, "columns of C per block", most_side),
                     tile_param("BK", box_columns, "depth of a tile", most_side),
                     {"STAGES", 4, 2, 16, "tiles in shared memory: multiplied, or copies under way"}};
}

void add_type(Family& family) {
    ParamSpec type{"TYPE", 0, 0, 1, "elements of A and B; sums and C are f32"};
    type.words = {"f16", "bf16"};
    family.params.push_back(std::move(type));
}

}  // namespace

Family wgmma_tma_family() {
    Family family = wgmma_family(
        "wgmma_tma", "one warp group: tensor copies into STAGES swizzled tiles, wgmma out of them (sm_90a)");
    add_block(family, 128);
    add_type(family);
    family.rules.emplace_back("BM is a multiple of 64, BM*BN/128 sums per thread at most 192");
    family.lower = lower_wgmma_tma;
    return family;
}

Family wgmma_warp_specialized_family() {
    Family family = wgmma_family("wgmma_warp_specialized",
                                 "a warp group that copies, 1 or 2 that multiply with wgmma (sm_90a)");
    add_block(family, 256);
    family.params.push_back({"CONSUMERS", 2, 1, 2, "warp groups that multiply, BM/CONSUMERS rows each"});
    family.params.push_back(
        {"PERSISTENT", 1, 0, 1, "1: a block per SM takes tiles until there are none; 0: a block per tile"});
    family.params.push_back({"RASTER", 8, 1, 64, "tiles down before the order goes on to the right"});
    add_type(family);
    family.derived = {{"THREADS", "128*(1 + CONSUMERS)", "threads per block", [](const ParamValues& p) {
                           return std::optional(group_threads * (1 + p.at("CONSUMERS")));
                       }}};
    family.rules.emplace_back(
        "BM is a multiple of 64*CONSUMERS, BM*BN/(128*CONSUMERS) sums per thread at most 192");
    family.lower = lower_wgmma_warp_specialized;
    return family;
}

}  // namespace gpumodel
