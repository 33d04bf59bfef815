// Stall counts of generated code from Volta on: how far apart ptxas lets a warp issue two instructions, for
// their units' sake and for results that come after a fixed time. Results of varying time (loads, special
// registers) are left to scoreboards, as in compiled code.
//
// What compiled code does (validate/listings: sm_70, 80, 86, 90; distances of all pairs of producer and
// consumer, and of neighbours that need nothing of each other):
// - memory instructions of a warp stand four cycles apart, whatever stands between them: 100 % of neighbours;
// - integer, logic and move instructions stand two apart, as do IMADs; FP32 instructions one, where a
//   sub-partition takes one per cycle, else two;
// - a result is there after four cycles in its own unit, five in another one and for an address or a store
//   (eight on sm_70); a 64-bit one a cycle later; a uniform register's after four, and after six elsewhere; a
//   predicate's for a branch after 13.
// A segment's last instruction waits for what the next one may need.
#pragma once

#include <vector>

#include "traces/codegen/code_style.h"
#include "traces/instruction.h"

namespace gpumodel {

void set_stall_counts(std::vector<Instruction>& code, const CodeStyle& style);

}  // namespace gpumodel
