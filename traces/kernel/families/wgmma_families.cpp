// Matrix products by warp groups (validate/kernels/wgmma_tile.cuh): tensor copies into swizzled shared
// memory, wgmma out of it. Like the products of single warps (mma_families.cpp) they have no code generator.
#include "traces/kernel/families/derived.h"
#include "traces/kernel/families/element_types.h"
#include "traces/kernel/families/family_list.h"
#include "traces/kernel/families/wgmma_tile.h"

namespace gpumodel {

namespace {

Family wgmma_family(std::string name, std::string summary, std::int64_t bn) {
    Family family;
    family.name = std::move(name);
    family.summary = std::move(summary);
    family.params = {tile_param("BM", 128, "rows of C per block", most_box_rows),
                     tile_param("BN", bn, "columns of C per block", most_box_rows),
                     tile_param("BK", 64, "depth of a tile", most_box_rows),
                     {"STAGES", 4, 2, 16, "tiles in shared memory: multiplied, or copies under way"}};
    family.rules = {
        "BN is a multiple of 64, BK of 64 (tf32: 32, int8: 128; by default that): boxes of 128 "
        "bytes, swizzled",
        "BM, BN and BK are at most 256: rows of a box, columns of a wgmma",
        "STAGES*(2*(BM + BN)*BK + 16) bytes (tf32: 4*, int8: 1*) are at most what a block may "
        "have (227 KiB)",
        "sums and C are f32, of int8 s32; B is row-major of 16-bit elements, column-major (a "
        "column's k side by side) of tf32 and int8",
        "M, N, K are multiples of BM, BN, BK"};
    family.min_compute_capability = 90;
    family.only_target = "sm_90a";
    family.arguments = group_arguments;
    family.signature =
        "int, int, int, const __grid_constant__ TensorMap, const __grid_constant__ TensorMap, float*";
    family.generated = false;
    family.imply = imply_group_params;
    return family;
}

void add_type(Family& family) {
    family.params.push_back(word_param("TYPE", "elements of A and B", type_words(element_types)));
}

void add_cluster(Family& family) {
    ParamSpec cluster{"CLUSTER", 1, 1, 4, "blocks of a cluster, whose tiles lie one below the other"};
    cluster.further_argument = true;
    family.params.push_back(std::move(cluster));
    family.cluster = group_cluster;
    family.rules.emplace_back(
        "CLUSTER is 1, 2 or 4, RASTER a multiple of it, M of CLUSTER*BM: its blocks share B's tile, of which "
        "each asks for a part and sends it to all");
    family.rules.emplace_back("CLUSTER=4 goes with PERSISTENT=0, which it implies");
}

}  // namespace

Family wgmma_tma_family() {
    Family family = wgmma_family(
        "wgmma_tma", "one warp group: tensor copies into STAGES swizzled tiles, wgmma out of them (sm_90a)",
        128);
    add_type(family);
    family.rules.emplace_back("BM is a multiple of 64, BM*BN/128 sums per thread at most 192");
    family.lower = lower_one_group;
    return family;
}

Family wgmma_warp_specialized_family() {
    Family family = wgmma_family("wgmma_warp_specialized",
                                 "a warp group that copies, 1 or 2 that multiply with wgmma (sm_90a)", 256);
    family.params.push_back({"CONSUMERS", 2, 1, 2, "warp groups that multiply, BM/CONSUMERS rows each"});
    family.params.push_back(
        {"PERSISTENT", 1, 0, 1, "1: a block per SM takes tiles until there are none; 0: a block per tile"});
    family.params.push_back({"RASTER", 8, 1, 64, "tiles down before the order goes on to the right"});
    add_type(family);
    add_cluster(family);
    family.derived = {{"THREADS", "128*(1 + CONSUMERS)", "threads per block", [](const ParamValues& p) {
                           return std::optional(group_threads * (1 + p.at("CONSUMERS")));
                       }}};
    family.rules.emplace_back(
        "BM is a multiple of 64*CONSUMERS, BM*BN/(128*CONSUMERS) sums per thread at most 192");
    family.lower = lower_specialized_groups;
    return family;
}

}  // namespace gpumodel
