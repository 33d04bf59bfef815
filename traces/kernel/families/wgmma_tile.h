// A tile of the warp groups' families: its rules, and the launch that follows.
#pragma once

#include <cstdint>
#include <string>

#include "traces/kernel/family.h"

namespace gpumodel {

inline constexpr std::int64_t group_threads = 128;
inline constexpr std::int64_t most_box_rows = 256;  // of a tensor copy; columns of a wgmma, too

// Defaults that hang on others: BK is 128 bytes of any type, blocks of a cluster of four stay for one tile.
void imply_group_params(const ParamValues& given, ParamValues& resolved);

// M, N, K, maps of A and B, C.
[[nodiscard]] std::string group_arguments(const KernelProgram& program, const ParamValues& resolved);

// Blocks of a cluster, one behind the other in x.
[[nodiscard]] std::int64_t group_cluster(const ParamValues& resolved);

// One warp group, and a block for each tile.
[[nodiscard]] FamilyResult lower_one_group(const ParamValues& params, const ProblemShape& shape,
                                           const Target& target);

// Groups that multiply, one that copies, and tiles that are numbered through.
[[nodiscard]] FamilyResult lower_specialized_groups(const ParamValues& params, const ProblemShape& shape,
                                                    const Target& target);

}  // namespace gpumodel
