// Which part of the sectors that SMs ask for reaches L2: reads of one cluster of SMs (GPC) merge on the way
// while the first one is under way (H200 counters: L2 reads up to 2.5 times fewer than SMs ask for).
//
//   part = 1 - fraction * step * (1 - distinct data / reads)
// with reads and distinct data counted over the blocks that one round of the deal puts into one cluster. A
// cluster takes consecutive blocks, one for each of its SMs, or for each TPC where the grid has no more
// blocks than the GPU has TPCs (H200: SM numbers by block). Blocks of another round on the same SMs run at
// other phases and merge with nothing. Blocks begin in step and drift apart where SMs run more than one:
//   step = 1 where blocks <= SMs, else 1 / (1 + cycles that the SM's resident blocks keep it busy / drift)
//
// Of blocks in clusters nothing merges but what a multicast asks for once: step = 0. The GPCs take clusters
// in turn, so that neighbours are apart (H200: h200_sxm_clusters.csv, `few`). `estimated`, as far as it goes:
// 64 x 128 tiles of two blocks a cluster read L2 at 7.1 to 8.5 of its 8.8 TB/s if nothing merges, and take 4
// to 7 % longer than without a cluster (h200_sxm_wgmma_clusters_times.csv, calibration half).
//
// Ignored: that blocks which wait for each other's data fall into step again (measured at one tile and size:
// 0.1 to 0.5 of the reads, by how far ahead warps load), clusters of unequal size, SMs that take a freed slot
// out of turn.
#pragma once

#include "arch_specs/arch_spec.h"
#include "model/launch/waves.h"
#include "traces/kernel_program.h"

namespace gpumodel {

// Blocks read the same data where block coordinates times these byte strides add up to the same.
struct BlockStrides {
    std::int64_t x = 0, y = 0, z = 0;
    [[nodiscard]] std::int64_t offset(const Dim3& block) const {
        return block.x * x + block.y * y + block.z * z;
    }
    friend bool operator==(const BlockStrides&, const BlockStrides&) = default;
};

// Coordinates of the block with this linear index.
[[nodiscard]] inline Dim3 linear_block(const Dim3& grid, std::int64_t index) {
    return {index % grid.x, index / grid.x % grid.y, index / (grid.x * grid.y)};
}

// `step` of a launch, from 0 to 1. The SM is busy for its resident blocks' issue slots or, if that is more,
// for their products on tensor cores.
[[nodiscard]] double blocks_in_step(const KernelProgram& program, const Waves& waves, const ArchSpec& arch);

// 1 where the spec knows no merging. Grids of many rounds are sampled evenly. Among the blocks of a box: of a
// variant, beyond which its strides mean nothing.
[[nodiscard]] double unmerged_reads(const Dim3& grid, const BlockBox& box, const BlockStrides& strides,
                                    double in_step, const ArchSpec& arch);

}  // namespace gpumodel
