// Which code block can follow which.
#pragma once

#include "traces/emulate/prepare/program.h"

namespace gpumodel::emulate {

// Sets successors and reachability. Follows every path with the convergence barriers (Volta and later) or
// the stack (Kepler) that are open on it, so that a BSYNC or BRK leads only where it can. `return_sites` are
// the blocks that a RET through registers may go to.
void connect_blocks(Program& program, const std::vector<int>& return_sites);

}  // namespace gpumodel::emulate
