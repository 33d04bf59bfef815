// Handlers of texture and surface instructions. Sources: 0 ... 2 the coordinates (TEX: floats; TLD: texels;
// surfaces: x in bytes, y, z), 3 the layer, 4 the object, 5 the data of a surface write. `immediate` names
// the Access, `option` the channel, or the word of a surface.
//
// A sample is the texel that its coordinates name, of mipmap level 0 whatever level is asked for; with a
// linear filter the mean of its neighbours, weighted by fractions of 8 bits (CUDA C++ programming guide,
// texture fetching). The access that is reported is that of one texel: where a filter or TLD4 reads four, the
// others mostly lie in the same sectors.
#pragma once

#include "traces/emulate/run/machine.h"

namespace gpumodel::emulate {

// Throws InputError (invalid input) for a number that is no object of --args, or one of another texel size
// than the instruction was counted with.
void report_texture(Warp& warp, const MicroOp& op, std::uint32_t mask);
void load_texture(Warp& warp, const MicroOp& op, std::uint32_t mask);
void store_surface(Warp& warp, const MicroOp& op, std::uint32_t mask);
// TXQ: `option` 0, 1, 2 = width, height, depth or layers; source 4 the object.
void query_texture(Warp& warp, const MicroOp& op, std::uint32_t mask);

}  // namespace gpumodel::emulate
