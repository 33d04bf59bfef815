// How many clusters of blocks run at once. The blocks of a cluster lie on SMs of one GPC, and not all GPCs
// have equally many SMs:
//   clusters at once = sum over GPCs of floor(SMs of the GPC * blocks per SM / blocks of a cluster)
// What is over in each GPC gets no block of the launch.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "arch_specs/arch_spec.h"
#include "model/launch/waves.h"
#include "traces/kernel_program.h"

namespace gpumodel {

// Empty for launches without clusters, and where the spec does not say how its SMs lie in GPCs (gpc.sms
// absent, or of another number of SMs than sm_count, as after `--set sm_count=...`). blocks_per_sm >= 1.
[[nodiscard]] std::optional<std::int64_t> clusters_at_once(const ArchSpec& arch, std::int64_t cluster_blocks,
                                                           int blocks_per_sm);

// Waves of a launch: over all SMs, or over as many as its clusters at once fill. Of a launch whose clusters
// find no room (no_room_for_clusters) those of one without clusters.
[[nodiscard]] Waves deal_launch(const KernelProgram& program, const ArchSpec& arch, int blocks_per_sm);

// Why no cluster of the launch can run; "" where one can.
[[nodiscard]] std::string no_room_for_clusters(const KernelProgram& program, const ArchSpec& arch,
                                               int blocks_per_sm);

// Where the busiest SM gets more blocks than it would if all SMs got some: says so; else "".
[[nodiscard]] std::string cluster_limit_words(const KernelProgram& program, const Waves& waves);

}  // namespace gpumodel
