// gpumodel kernels pack: compiled kernels of the families out of a listing, as they are shipped.
#pragma once

#include "tools/cli/command.h"

namespace gpumodel::cli {

void add_pack_command(Command& kernels);

}  // namespace gpumodel::cli
