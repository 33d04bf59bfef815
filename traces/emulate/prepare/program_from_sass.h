// A launch of a SASS function as an instruction-level KernelProgram: emulation (sass_block_source.h) and fold
// (traces/fold/fold_program.h) in one call.
#pragma once

#include "traces/emulate/sass_block_source.h"
#include "traces/kernel_program.h"

namespace gpumodel {

// Throws InputError as make_sass_source and fold_program do. Static shared memory is taken from the addresses
// accessed, a lower bound; whoever knows the resource log sets it.
[[nodiscard]] KernelProgram program_from_sass(const SassFunction& function, const SassLaunch& launch);

}  // namespace gpumodel
