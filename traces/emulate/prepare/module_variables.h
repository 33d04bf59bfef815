// Device memory that code uses without its being a parameter, as further allocations behind those of --args,
// and the addresses of it that the loader would fill in.
//
//   __device__ variables   in bank 4 (CUDA 13) or in the code (before); both from a listing made with -elf.
//                          What they hold is not known.
//   the grid's barrier     a word that the driver gives a cooperative launch: each block adds to it and reads
//                          it until its highest bit has changed, which the last block to come does
//                          (cooperative_groups/details/sync.h of the CUDA toolkit). As blocks run one by one,
//                          each is taken for the last one to come (DeviceMemory).
#pragma once

#include "traces/emulate/sass_block_source.h"

namespace gpumodel::emulate {

// The code waits at the barrier of the whole grid.
[[nodiscard]] bool uses_grid_barrier(const SassFunction& function);

// `launch` with an argument for each of them, behind its own ones.
[[nodiscard]] SassLaunch with_module_variables(const SassFunction& function, SassLaunch launch);

// `function` with the addresses of the variables among `arguments` where the loader would put them; nullopt
// where nothing is to be filled in.
[[nodiscard]] std::optional<SassFunction> with_addresses(const SassFunction& function,
                                                         const KernelArguments& arguments);

}  // namespace gpumodel::emulate
