// Whether a launch of a kernel can be emulated at all.
#pragma once

#include "traces/emulate/sass_block_source.h"

namespace gpumodel::emulate {

// Grid, block, cluster, generation and code. Throws InputError (invalid input) with all faults.
void check_launch(const SassFunction& function, const SassLaunch& launch);

}  // namespace gpumodel::emulate
