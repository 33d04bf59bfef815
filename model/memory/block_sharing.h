// What blocks of one SM read of each other's data in L1.
//
// Which blocks share an SM is not known: they are taken as drawn at random from the launch. Of K blocks that
// an SM holds at once, as many find their data in L1 as read what another of them has read:
//   K - (distinct data of K of the launch's blocks, drawn at random)
// H200 (h200_sxm_counters.csv, calibration half): products of 16 x 16 blocks of 64 x 64 on 132 SMs find
// 115 to 123 thousand sectors there; 120 thousand by this, 0 if block b lay beside b + 132.
//
// Ignored: launches with more blocks than the GPU holds at once. Their blocks fall out of step: found are a
// tenth of what this would say (blocktile1d, 1.3 to 3.9 waves).
#pragma once

#include "arch_specs/arch_spec.h"
#include "model/launch/waves.h"
#include "model/memory/read_merging.h"
#include "traces/kernel_program.h"

namespace gpumodel {

// How many of the launch's blocks, on average, find what they read at these strides in L1.
[[nodiscard]] double blocks_that_share(const Dim3& grid, const BlockStrides& strides, const Waves& waves);

}  // namespace gpumodel
