#include "model/launch/cluster_room.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

namespace gpumodel {

std::optional<std::int64_t> clusters_at_once(const ArchSpec& arch, std::int64_t cluster_blocks,
                                             int blocks_per_sm) {
    const auto& gpcs = arch.gpc.sms;
    if (cluster_blocks <= 1 || std::accumulate(gpcs.begin(), gpcs.end(), 0) != arch.sm_count) {
        return std::nullopt;
    }
    return std::accumulate(gpcs.begin(), gpcs.end(), std::int64_t{0}, [&](std::int64_t sum, int sms) {
        return sum + std::int64_t{sms} * blocks_per_sm / cluster_blocks;
    });
}

Waves deal_launch(const KernelProgram& program, const ArchSpec& arch, int blocks_per_sm) {
    const auto clusters = clusters_at_once(arch, program.cluster_blocks, blocks_per_sm);
    if (clusters.value_or(0) == 0) {
        return deal_blocks(program.grid.count(), arch.sm_count, blocks_per_sm);
    }
    const auto sms = std::max<std::int64_t>(1, *clusters * program.cluster_blocks / blocks_per_sm);
    auto waves = deal_blocks(program.grid.count(), static_cast<int>(sms), blocks_per_sm);
    waves.sms_left_over = arch.sm_count - waves.sm_count;
    waves.clusters_at_once = *clusters;
    return waves;
}

std::string no_room_for_clusters(const KernelProgram& program, const ArchSpec& arch, int blocks_per_sm) {
    if (clusters_at_once(arch, program.cluster_blocks, blocks_per_sm) != 0) {
        return "";
    }
    const auto& gpcs = arch.gpc.sms;
    return fmt::format("a cluster of {} blocks runs in one GPC: the largest has {} SMs of {} block{}",
                       program.cluster_blocks, *std::max_element(gpcs.begin(), gpcs.end()), blocks_per_sm,
                       blocks_per_sm == 1 ? "" : "s");
}

std::string cluster_limit_words(const KernelProgram& program, const Waves& waves) {
    const auto all_sms = std::int64_t{waves.sm_count} + waves.sms_left_over;
    if (waves.busiest_sm_blocks * all_sms < waves.blocks + all_sms) {
        return "";
    }
    return fmt::format(
        "a cluster runs in one GPC: {} clusters of {} blocks run at once and leave {} of {} SMs without any",
        waves.clusters_at_once, program.cluster_blocks, waves.sms_left_over, all_sms);
}

}  // namespace gpumodel
