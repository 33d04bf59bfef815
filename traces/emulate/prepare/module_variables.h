// Device memory that code uses without its being a parameter, as further allocations behind those of --args,
// and the addresses of it that the loader would fill in.
//
//   __device__ variables   in bank 4 (CUDA 13) or in the code (before); both from a listing made with -elf.
//                          What they hold is not known unless the launch says so.
//   __constant__ variables in bank 3, which has what the launch says they hold; else what they begin with.
//   the grid's barrier     a word that the driver gives a cooperative launch: each block adds to it and reads
//                          it until its highest bit has changed, which the last block to come does
//                          (cooperative_groups/details/sync.h of the CUDA toolkit). As blocks run one by one,
//                          each is taken for the last one to come (DeviceMemory).
#pragma once

#include "traces/emulate/sass_block_source.h"

namespace gpumodel::emulate {

// The code waits at the barrier of the whole grid.
[[nodiscard]] bool uses_grid_barrier(const SassFunction& function);

// `launch` with an argument for each variable in device memory and for the barrier, behind its own ones.
[[nodiscard]] SassLaunch with_module_variables(const SassFunction& function, SassLaunch launch);

// `function` with the addresses of the variables among the launch's arguments where the loader would put
// them, and with what the launch says, or does not say, of __constant__ variables; nullopt where there are
// neither.
[[nodiscard]] std::optional<SassFunction> filled_in(const SassFunction& function, const SassLaunch& launch);

}  // namespace gpumodel::emulate
