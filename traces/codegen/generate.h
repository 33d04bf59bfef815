// Tile-level program -> instruction-level program for one generation: a model of what ptxas makes of the
// families.
//
// In: a program of lower_tiles (traces/kernel) and the target it was made for. Out: the same launch, where
// every segment lists its instructions, `ops` counts exactly those, and `dependency` is what they wait for:
// - loops are unrolled as their `unroll` says (unroll_loops.h); each class's count is the tile-level count of
//   the unrolled body, rounded to a whole number; every thread accesses the same addresses as before;
// - registers are real ones: products read what fragment loads define, stores what loads brought, accesses
//   an address that arithmetic computed, the closing branch a predicate that a compare set. Accumulators and
//   fragments lie in the banks, and FFMAs carry the reuse flags, that compiled code has;
// - order: within a body the loads of a window, then what waits for them.
// Rules come from docs/compiled_code.md: listings of sm_35, sm_70, sm_86 and sm_90 (nvcc 11.8 and 13.0); the
// other generations follow the nearest one.
//
// - stall counts, from Volta on stall_counts.h, on Kepler kepler_control.h. Maxwell and Pascal have none, so
//   that consumers order their instructions by registers.
// Left out: software pipelining across loop trips, which the compiler does not do either; which index
// arithmetic computes what.
#pragma once

#include "traces/codegen/program_code.h"

namespace gpumodel {

// `known`: the code of the same tiles at another size (program_code.h), taken instead of made.
[[nodiscard]] KernelProgram generate_code(KernelProgram tile_level, const Target& target,
                                          const ProgramCode* known = nullptr);

}  // namespace gpumodel
