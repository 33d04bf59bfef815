// The bottleneck of a simulated launch: the unit whose lifting saves most time. One further run per unit,
// with the limiters that explain() lifts (limiters.h: Limiter::unit), so that its table says the same; of
// units that are busy for less than a tenth of the time none is made, for they cannot save more. The busiest
// unit is another thing: a unit may be busy and fast enough.
//
// Issue slots and math pipes are lifted together (each hides right behind the other) and bear the name of the
// busier one. The launch overhead needs no run.
#pragma once

#include <vector>

#include "model/prediction.h"
#include "model/sim/simulate.h"

namespace gpumodel {

// The most runs that unit_gains() makes; it takes back those that it does not make from what
// SimOptions::progress expects.
[[nodiscard]] int most_unit_gain_runs();

// Most first; units that save nothing left out. `p`: simulated, of the same program, spec and options; status
// ok.
[[nodiscard]] std::vector<UnitGain> unit_gains(const KernelProgram& program, const ArchSpec& arch,
                                               const SimOptions& options, const Prediction& p);

// Gains, bottlenecks and their words of `p`, which was simulated. Those within 2 points of the largest gain
// share the title; none has it where lifting any one saves less than 3 % (unknown).
void name_bottleneck(const KernelProgram& program, const ArchSpec& arch, const SimOptions& options,
                     Prediction& p);

}  // namespace gpumodel
