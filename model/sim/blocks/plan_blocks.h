// Which SM is simulated, and its blocks in order.
//
// Blocks are dealt to the SMs in turn. The first SM stands for all, as blocks that come later go to whoever
// is free. Where all blocks run at once nobody is relieved, and the launch ends with the slowest SM: of those
// with the most blocks, or with blocks that do more than others, the one that takes longest by
//   max(instructions of all its warps / schedulers, longest warp's instructions x cycles that one takes
//   alone)
// `estimated` is what an instruction of a warp alone takes: 6 cycles, between products that wait for nothing
// (2 to 4) and walks through memory (10 to 20). It only picks; the SM is simulated.
// Where data decide what blocks do, each block beyond those that run at once goes to the SM that has room
// first, and the SM is simulated that ends last (uneven_deal.h): any SM's even part would be a sample of few
// blocks. Where a few stand for all that are not like them, each block is like one of these that is drawn,
// the same in every run: as neighbours go to different SMs, blocks that stood for theirs would give all SMs
// the same, and none would end later (wavefronts of 1,500 pairs of strings on an H200: the last SM 1.23 times
// the mean; launches of alignments 17 to 27 % too fast without).
#pragma once

#include "arch_specs/arch_spec.h"
#include "model/launch/waves.h"
#include "model/sim/blocks/block_queue.h"
#include "model/sim/core/stream.h"
#include "model/sim/memory/access_table.h"
#include "traces/kernel_program.h"

namespace gpumodel::sim {

struct LaunchedProgram {
    const KernelProgram& program;
    const DecodedProgram& decoded;
    const AccessTable& table;
    const Waves& waves;
};

// `uneven`: with the blocks that an SM may take beyond its even part.
[[nodiscard]] BlockPlan plan_blocks(const LaunchedProgram& launch, const ArchSpec& arch, bool uneven);

}  // namespace gpumodel::sim
