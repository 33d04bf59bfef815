// Tile-level program -> instruction-level program for one generation: a model of what ptxas makes of the
// families.
//
// In: a program of make_program (traces/kernel) and the target it was made for; one that has code already is
// returned as it is. Out: the same launch, where
// every segment lists its instructions and `ops` counts exactly those:
// - loops are unrolled as their `unroll` says (unroll_loops.h); each class's count is the tile-level count of
//   the unrolled body, rounded to a whole number; every thread accesses the same addresses as before;
// - registers are real ones: products read what fragment loads define, stores what loads brought, accesses
//   an address that arithmetic computed, the closing branch a predicate that a compare set. Accumulators and
//   fragments lie in the banks, and FFMAs carry the reuse flags, that compiled code has;
// - order: within a body the loads of a window, then what waits for them.
// Rules come from docs/compiled_code.md: listings of sm_35, sm_70, sm_86 and sm_90 (nvcc 11.8 and 13.0); the
// other generations follow the nearest one.
//
// Left out: control words (Kepler: kepler_control.h), so that consumers order instructions by their
// registers; software pipelining across loop trips, which the compiler does not do either; which index
// arithmetic computes what.
#pragma once

#include "traces/kernel/family.h"
#include "traces/kernel_program.h"

namespace gpumodel {

[[nodiscard]] KernelProgram generate_code(const KernelProgram& tile_level, const Target& target);

}  // namespace gpumodel
