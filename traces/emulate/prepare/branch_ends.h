// What the ends of code blocks mean to those who judge a branch that hangs on unknown values.
#pragma once

#include "traces/emulate/prepare/program.h"

namespace gpumodel::emulate {

// Sets in_loop and passes_rare_case of every block. Needs targets.
//   in_loop           it jumps back, or its jump or exit leads out of the range that a backward jump spans
//   passes_rare_case  a forward jump over at most 16 instructions without an access, one of which calls a
//                     subroutine of the function that accesses no memory: how compilers call the slow path
//                     of divisions, reciprocals and roots
void describe_ends(Program& program, const SassFunction& function);

}  // namespace gpumodel::emulate
