// Matrix products by a warp's tensor-core instructions (validate/kernels/mma_tile.cuh). They have no code
// generator: lowering gives the launch alone, the code is a compiler's (traces/provide).
#include <fmt/format.h>

#include "traces/kernel/families/derived.h"
#include "traces/kernel/families/element_types.h"
#include "traces/kernel/families/family_list.h"
#include "traces/kernel/families/mma_tile.h"

namespace gpumodel {

namespace {

FamilyResult lower_mma_direct(const ParamValues& params, const ProblemShape& shape, const Target& target) {
    return lower_mma(params, shape, target, {.direct = true});
}
FamilyResult lower_mma_shared(const ParamValues& params, const ProblemShape& shape, const Target& target) {
    return lower_mma(params, shape, target, {});
}
FamilyResult lower_mma_swizzled(const ParamValues& params, const ProblemShape& shape, const Target& target) {
    return lower_mma(params, shape, target, {.swizzled = true});
}
FamilyResult lower_mma_async(const ParamValues& params, const ProblemShape& shape, const Target& target) {
    return lower_mma(params, shape, target, {.swizzled = true, .dynamic = true});
}
FamilyResult lower_mma_double(const ParamValues& params, const ProblemShape& shape, const Target& target) {
    return lower_mma(params, shape, target, {.swizzled = true, .dynamic = true, .doubled = true});
}

// M, N, K, A, B, C: no alpha and beta.
std::string mma_arguments(const KernelProgram& p, const ParamValues& /*resolved*/) {
    return fmt::format("{},{},{},ptr:{}B,ptr:{}B,ptr:{}B", p.m, p.n, p.k, p.arrays.at(0).bytes,
                       p.arrays.at(1).bytes, p.arrays.at(2).bytes);
}

std::vector<ParamSpec> block_params(std::int64_t side) {
    return {tile_param("BM", side, "rows of C per block"), tile_param("BN", side, "columns of C per block")};
}

void add_depth(Family& family) {
    family.params.push_back(tile_param("BK", 32, "depth of a tile", 256));
}

void add_warp_tile(Family& family, std::int64_t wm, std::int64_t wn) {
    family.params.push_back(tile_param("WM", wm, "rows of C per warp", 256));
    family.params.push_back(tile_param("WN", wn, "columns of C per warp", 256));
}

void add_types(Family& family) {
    family.params.push_back(word_param("TYPE", "elements of A and B", type_words(element_types)));
    family.params.push_back(word_param("ACC", "sums and elements of C", type_words(sum_types)));
}

// Everything but the parameters in the middle and the rules of shared memory.
Family mma_family(std::string name, std::string summary, std::int64_t side) {
    Family family;
    family.name = std::move(name);
    family.summary = std::move(summary);
    family.params = block_params(side);
    family.derived = {{"THREADS", "32*(BM/WM)*(BN/WN)", "threads per block", [](const ParamValues& p) {
                           const auto down = exact_quotient(p.at("BM"), p.at("WM"));
                           const auto across = exact_quotient(p.at("BN"), p.at("WN"));
                           return down && across ? std::optional(32 * *down * *across) : std::nullopt;
                       }}};
    family.rules = {"WM and WN are multiples of 16, BM of WM, BN of WN; THREADS = 32*(BM/WM)*(BN/WN)",
                    "ACC=f16 needs TYPE=f16, ACC=s32 goes with TYPE=int8; TYPE=bf16 and tf32 need compute "
                    "capability 8.0, TYPE=int8 7.5",
                    "B is row-major of 16-bit elements, column-major (a column's k side by side) of tf32 and "
                    "int8"};
    family.min_compute_capability = 70;
    family.arguments = mma_arguments;
    family.signature = "int, int, int, const void*, const void*, void*";
    family.generated = false;
    family.imply = imply_mma_params;
    return family;
}

void add_load_rules(Family& family, bool swizzled) {
    family.rules.emplace_back(
        "BK is whole products of 32 bytes: a multiple of 16 (tf32: 8, int8: 32), by default 64 bytes");
    family.rules.emplace_back(
        "THREADS is a multiple of the 16-byte pieces of a row of either tile: BK/8 and BN/8 (tf32: BK/4, "
        "int8: BK/16)");
    family.rules.emplace_back(
        "BM*BK and BN*BK are multiples of 8*THREADS (tf32: 4*, int8: 16*; 16-byte loads)");
    if (swizzled) {
        family.rules.emplace_back(
            "rows are 32, 64 or multiples of 128 bytes: BK and BN are 16, 32 or multiples of 64 (BK of tf32: "
            "8, 16, 32, of int8: 32, 64, 128)");
    }
    family.rules.emplace_back("M, N, K are multiples of BM, BN, BK");
}

// A ring of tiles that asynchronous copies fill ahead.
Family ring_family(std::string name, std::string summary, std::string stages) {
    Family family = mma_family(std::move(name), std::move(summary), 128);
    family.min_compute_capability = 80;
    add_depth(family);
    add_warp_tile(family, 64, 64);
    family.params.push_back({"STAGES", 4, 2, 8, std::move(stages)});
    add_types(family);
    add_load_rules(family, true);
    family.rules.emplace_back(
        "2*STAGES*(BM + BN)*BK bytes (tf32: 4*, int8: 1*) are at most what a block may have (a launch asks "
        "for "
        "it: 163 KiB on sm_80, 99 on sm_86 and sm_89, 227 on sm_90)");
    return family;
}

}  // namespace

Family mma_direct_family() {
    Family family =
        mma_family("mma_direct", "tensor cores, fragments straight from global memory (sm_70 and later)", 64);
    add_warp_tile(family, 32, 32);
    add_types(family);
    family.rules.emplace_back("M, N, K are multiples of BM, BN, 16 (K of tf32: 8, of int8: 32)");
    family.lower = lower_mma_direct;
    return family;
}

Family mma_shared_family() {
    Family family = mma_family(
        "mma_shared", "tensor cores, tiles in shared memory with padded rows (sm_70 and later)", 128);
    add_depth(family);
    add_warp_tile(family, 64, 32);
    family.params.push_back({"PAD", 8, 0, 64, "elements behind each row in shared memory, whole 16 bytes"});
    add_types(family);
    add_load_rules(family, false);
    family.rules.emplace_back(
        "PAD is a multiple of 8 (tf32: 4, int8: 16), by default one: rows begin at whole 16-byte pieces");
    family.lower = lower_mma_shared;
    return family;
}

Family mma_swizzled_family() {
    Family family = mma_family("mma_swizzled",
                               "mma_shared with 16-byte pieces in changing order instead of padding", 128);
    add_depth(family);
    add_warp_tile(family, 64, 32);
    add_types(family);
    add_load_rules(family, true);
    family.lower = lower_mma_swizzled;
    return family;
}

Family mma_async_family() {
    Family family = ring_family(
        "mma_async", "mma_swizzled with STAGES tiles filled by asynchronous copies (sm_80 and later)",
        "tiles in shared memory: one multiplied, the others under way");
    family.lower = lower_mma_async;
    return family;
}

Family mma_double_family() {
    Family family = ring_family(
        "mma_double", "mma_async that loads a step's fragments before it multiplies those of the step before",
        "tiles in shared memory, multiplied or under way");
    family.rules.emplace_back(
        "BK is an even number of products (a multiple of 32, tf32: 16, int8: 64): two sets of registers take "
        "turns");
    family.lower = lower_mma_double;
    return family;
}

}  // namespace gpumodel
