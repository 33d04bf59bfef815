// Which part of the sectors that SMs ask for reaches L2: reads of one cluster of SMs (GPC) merge on the way
// while the first one is under way (H200 counters: L2 reads up to 2.5 times fewer than SMs ask for).
//
//   part = 1 - fraction * (1 - distinct data / reads)
// with reads and distinct data counted over the blocks that one round of the deal puts into one cluster. A
// cluster takes consecutive blocks, one for each of its SMs, or for each TPC where the grid has no more
// blocks than the GPU has TPCs (H200: SM numbers by block). Blocks of another round on the same SMs run at
// other phases and merge with nothing.
//
// Ignored: that blocks which wait for each other's data fall into step (measured at one tile size: 0.42 to
// 0.8, by how warps are laid out), clusters of unequal size, SMs that take a freed slot out of turn.
#pragma once

#include "arch_specs/arch_spec.h"
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

// 1 where the spec knows no merging. Grids of many rounds are sampled evenly.
[[nodiscard]] double unmerged_reads(const Dim3& grid, const BlockStrides& strides, const ArchSpec& arch);
// Among the blocks of a box: of a variant, beyond which its strides mean nothing.
[[nodiscard]] double unmerged_reads(const Dim3& grid, const BlockBox& box, const BlockStrides& strides,
                                    const ArchSpec& arch);

}  // namespace gpumodel
