// Tile-level program -> the same program with its loops as the compiler leaves them: a loop of unroll u has
// trips/u trips of u copies, the trips that u leaves over follow as straight-line code, and a loop unrolled
// in full is gone, as is one of a single iteration. Sites are made anew (the words of the copies one after
// another, the loop counter folded into `word`), so that every thread accesses the same addresses as before.
//
// Copies of a single interval without barrier become one interval with u times the words, steps and
// instructions; copies of anything else follow one another as nodes.
// Instruction counts of the result are whole numbers, rounded per body.
#pragma once

#include <vector>

#include "traces/kernel_program.h"

namespace gpumodel {

[[nodiscard]] std::vector<Node> unroll_loops(const std::vector<Node>& body);

}  // namespace gpumodel
