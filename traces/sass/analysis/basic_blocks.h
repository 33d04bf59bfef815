// First half of control_flow(): where blocks begin and which edges leave them.
#pragma once

#include "traces/sass/analysis/control_flow.h"

namespace gpumodel {

// Blocks with successors and predecessors; reachability not set.
[[nodiscard]] std::vector<BasicBlock> basic_blocks(const SassFunction& function);

[[nodiscard]] bool is_indirect_branch(const SassInstruction& instruction);

}  // namespace gpumodel
