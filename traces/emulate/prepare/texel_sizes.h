// How many bytes a lane reads of a texture, and of how many texels, is in no instruction: the object says it.
#pragma once

#include "traces/emulate/prepare/constant_bank.h"
#include "traces/sass/sass_module.h"
#include "traces/warp_events.h"

namespace gpumodel::emulate {

// Sets access_bytes and filter of the texture instructions: of the argument that the code takes the object
// from, else of all textures given, if they agree. What is taken where they do not is refused where it runs
// (texture_operations.h).
void set_texel_sizes(const SassFunction& function, const KernelArguments& arguments, const ConstantBank& bank,
                     StaticCode& code);

}  // namespace gpumodel::emulate
