#include "traces/kernel/families/wgmma_tile.h"

#include <fmt/format.h>

#include <algorithm>

#include "traces/kernel/families/element_types.h"
#include "traces/kernel/families/family_list.h"

namespace gpumodel {

namespace {

constexpr std::int64_t product_rows = 64;     // of C per wgmma
constexpr std::int64_t product_columns = 64;  // and multiples of it
constexpr std::int64_t box_bytes = 128;       // the widest swizzle
constexpr std::int64_t most_sums = 192;       // per thread, beside addresses in 240 registers
constexpr std::int64_t barrier_bytes = 16;    // two barriers per stage
constexpr std::int64_t most_persistent = 2;   // blocks of a cluster: the SMs of a TPC

struct GroupTile {
    std::int64_t bm, bn, bk, stages;
    ElementType type;
    std::int64_t consumers = 1;
    std::int64_t producers = 0;  // warp groups that copy only
    std::int64_t cluster = 1, raster = 1;
    bool persistent = false;

    [[nodiscard]] std::int64_t threads() const { return group_threads * (consumers + producers); }
    [[nodiscard]] std::int64_t sums() const { return bm * bn / (group_threads * consumers); }
    [[nodiscard]] std::int64_t box_columns() const { return box_bytes / type.bytes; }
    [[nodiscard]] std::int64_t shared_bytes() const {
        return stages * (type.bytes * (bm + bn) * bk + barrier_bytes);
    }
};

std::string shared_words(const GroupTile& t) {
    return t.type.bytes == 1
               ? "shared memory per block = STAGES*((BM + BN)*BK + 16)"
               : fmt::format("shared memory per block = STAGES*({}*(BM + BN)*BK + 16)", t.type.bytes);
}

// Of what a cluster asks for, the rule that is broken.
std::string cluster_fault(const GroupTile& t) {
    if (t.cluster == 3) {
        return "CLUSTER = 3 must be 1, 2 or 4";
    }
    if (t.persistent && t.cluster > most_persistent) {
        return fmt::format(
            "PERSISTENT=1 needs CLUSTER=1 or 2, not {}: a block per SM is for clusters that all run at once, "
            "and how many of {} do hangs on the SMs of each GPC",
            t.cluster, t.cluster);
    }
    return "";
}

void check_group_tile(RuleCheck& rules, const GroupTile& t, const ProblemShape& shape, const Target& target) {
    const Quantity box{"the columns of a swizzled box of 128 bytes", t.box_columns()};
    rules.multiple({"BM", t.bm}, {"64*CONSUMERS", product_rows * t.consumers})
        .at_most({"BM", t.bm}, {"the rows of a box of a tensor copy", most_box_rows})
        .multiple({"BN", t.bn}, t.type.b_by_columns() ? Quantity{"", product_columns} : box)
        .at_most({"BN", t.bn}, {"the columns of a wgmma", most_box_rows})
        .multiple({"BK", t.bk}, box)
        .at_most({"BK", t.bk}, {"the rows of a box of a tensor copy", most_box_rows})
        .at_most({"sums per thread = BM*BN/(128*CONSUMERS)", t.sums()},
                 {"what its registers hold beside addresses", most_sums})
        .at_most({shared_words(t), t.shared_bytes()},
                 {"what a block of the architecture may have", target.max_shared_per_block});
    if (t.cluster > 1) {
        rules.multiple({"RASTER", t.raster}, {"CLUSTER", t.cluster})
            .multiple({"M", shape.m}, {"CLUSTER*BM", t.cluster * t.bm});
    }
    rules.multiple({"M", shape.m}, {"BM", t.bm})
        .multiple({"N", shape.n}, {"BN", t.bn})
        .multiple({"K", shape.k}, {"BK", t.bk});
}

void describe_group(KernelProgram& program, const GroupTile& t, const ProblemShape& shape) {
    const std::int64_t a = t.type.bytes * shape.m * shape.k;
    const std::int64_t b = t.type.bytes * shape.k * shape.n;
    const std::int64_t c = sum_type(t.type.own_sum).bytes * shape.m * shape.n;
    program.arrays = {{"A", a, true, false}, {"B", b, true, false}, {"C", c, false, true}};
    program.c_is_read = false;
    program.flops =
        2.0 * static_cast<double>(shape.m) * static_cast<double>(shape.n) * static_cast<double>(shape.k);
    program.effective_bytes = static_cast<double>(a + b + c);
}

FamilyResult lower_group(const GroupTile& t, const ProblemShape& shape, const Target& target) {
    if (auto fault = cluster_fault(t); !fault.empty()) {
        return infeasible(std::move(fault));
    }
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
    describe_group(program, t, shape);
    return result;
}

GroupTile group_tile(const ParamValues& params) {
    return {.bm = params.at("BM"),
            .bn = params.at("BN"),
            .bk = params.at("BK"),
            .stages = params.at("STAGES"),
            .type = element_type(params)};
}

}  // namespace

void imply_group_params(const ParamValues& given, ParamValues& resolved) {
    if (!given.contains("BK")) {
        resolved["BK"] = box_bytes / element_type(resolved).bytes;
    }
    if (!given.contains("PERSISTENT") && group_cluster(resolved) > most_persistent) {
        resolved["PERSISTENT"] = 0;
    }
}

std::int64_t group_cluster(const ParamValues& resolved) {
    const auto found = resolved.find("CLUSTER");
    return found == resolved.end() ? 1 : found->second;
}

std::string group_arguments(const KernelProgram& p, const ParamValues& resolved) {
    const auto& type = element_type(resolved);
    // as they lie in memory: the driver has no type for signed bytes, and TF32's own would round
    const auto word = type.bytes == 1 ? "u8" : type.bytes == 4 ? "f32" : type.word;
    const auto map = [&](std::int64_t bytes, std::int64_t columns, std::int64_t rows, std::int64_t box_rows) {
        return fmt::format("tmap(ptr:{}B,{},{}x{},{},{}x{},128)", bytes, word, columns, rows,
                           type.bytes * columns, box_bytes / type.bytes, box_rows);
    };
    const auto a = map(p.arrays.at(0).bytes, p.k, p.m, resolved.at("BM"));
    const auto b_bytes = p.arrays.at(1).bytes, blocks = group_cluster(resolved);
    const auto b = type.b_by_columns() ? map(b_bytes, p.k, p.n, resolved.at("BN") / blocks)
                                       : map(b_bytes, p.n, p.k, resolved.at("BK") / blocks);
    return fmt::format("{},{},{},{},{},ptr:{}B", p.m, p.n, p.k, a, b, p.arrays.at(2).bytes);
}

FamilyResult lower_one_group(const ParamValues& params, const ProblemShape& shape, const Target& target) {
    return lower_group(group_tile(params), shape, target);
}

FamilyResult lower_specialized_groups(const ParamValues& params, const ProblemShape& shape,
                                      const Target& target) {
    auto tile = group_tile(params);
    tile.consumers = params.at("CONSUMERS");
    tile.producers = 1;
    tile.cluster = group_cluster(params);
    tile.raster = params.at("RASTER");
    tile.persistent = params.at("PERSISTENT") == 1;
    auto result = lower_group(tile, shape, target);
    if (result.program) {
        auto& grid = result.program->grid;
        const auto tiles = grid.x * grid.y;
        // whole clusters, one at least
        const auto blocks = std::max<std::int64_t>(1, target.sm_count / tile.cluster) * tile.cluster;
        grid = {tile.persistent ? std::min(tiles, blocks) : tiles, 1, 1};
    }
    return result;
}

}  // namespace gpumodel
