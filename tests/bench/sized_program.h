// Generated code of every family at a size that puts a chosen amount of work on each SM.
#pragma once

#include <string>
#include <vector>

#include "arch_specs/arch_spec.h"
#include "traces/codegen/make_program.h"

namespace gpumodel::bench {

struct SizedProgram {
    std::string name;    // family
    std::string params;  // canonical
    KernelProgram program;
};

struct Variant {
    std::string family;
    ParamValues params;
};
// Further tiles beside the defaults: few and many blocks per SM, 32 to 1024 threads.
inline const std::vector<Variant> tile_variants = {
    {"blocktile1d", {{"BM", 32}, {"BN", 32}, {"BK", 8}, {"TM", 4}}},
    {"blocktile2d", {{"BM", 32}, {"BN", 32}, {"BK", 16}, {"TM", 4}, {"TN", 4}}},
    {"blocktile2d", {{"BM", 64}, {"BN", 64}, {"BK", 8}, {"TM", 4}, {"TN", 4}}},
    {"vectorized", {{"BM", 64}, {"BN", 64}, {"BK", 16}, {"TM", 8}, {"TN", 4}}},
    {"warptile",
     {{"BM", 64},
      {"BN", 64},
      {"BK", 16},
      {"WM", 32},
      {"WN", 32},
      {"WNITER", 1},
      {"TM", 4},
      {"TN", 4},
      {"THREADS", 128}}},
    {"warptile",
     {{"BM", 128},
      {"BN", 64},
      {"BK", 8},
      {"WM", 64},
      {"WN", 32},
      {"WNITER", 1},
      {"TM", 8},
      {"TN", 4},
      {"THREADS", 128}}},
    {"doublebuffer",
     {{"BM", 64},
      {"BN", 64},
      {"BK", 16},
      {"WM", 32},
      {"WN", 32},
      {"WNITER", 1},
      {"TM", 4},
      {"TN", 4},
      {"THREADS", 128}}},
};

// `tiles` blocks of 128 x 128 results on each SM, inner dimension `k` (where the family has one). Left out:
// what the generation or the family's rules do not allow.
inline std::vector<SizedProgram> all_families(const ArchSpec& arch, const std::vector<Variant>& variants,
                                              std::int64_t tiles, std::int64_t k) {
    std::vector<SizedProgram> all;
    const auto target = target_of(arch);
    const auto add = [&](const Family& family, const ParamValues& params) {
        const auto resolved = resolve_params(family, params);
        ProblemShape shape{128 * tiles, 128 * arch.sm_count, k};
        if (family.default_shape.k == 32) {
            shape.k = 32;  // the guides' kernels: one tile of the inner dimension
        }
        auto made = make_program(family, resolved, shape, target);
        if (made.program) {
            all.push_back({family.name, canonical_params(family, resolved), *std::move(made.program)});
        }
    };
    for (const auto& family : generated_families()) {
        add(family, {});
    }
    for (const auto& variant : variants) {
        add(*find_family(variant.family), variant.params);
    }
    return all;
}

}  // namespace gpumodel::bench
