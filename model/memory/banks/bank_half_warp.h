// The shared-memory rule of compute capability 1.x within one half-warp (CUDA C Programming Guide 4.2,
// appendix F.3.3).
#pragma once

#include "model/memory/banks/bank_conflicts.h"
#include "model/memory/banks/bank_phases.h"
#include "model/memory/warp_access.h"

namespace gpumodel {

// Steps until every lane of the phase is served.
//   load:  each step serves all lanes of one broadcast word and one lane per other bank. The guide leaves
//          the choices open; here the lowest remaining lane names the broadcast word, and the lowest
//          remaining lane of each bank is taken.
//   store: each step writes one location per bank; lanes of the same location are written once.
[[nodiscard]] int half_warp_steps(const WarpAccess& access, const BankPhase& phase,
                                  const BankGeometry& geometry, AccessDirection direction);

}  // namespace gpumodel
