// The clock of a launch in a series that lasts for seconds, by the simulator's own time: describe_launch()
// finds it by the analytic one, which differs by some percent.
#pragma once

#include "model/sim/predict_simulated.h"

namespace gpumodel {

// `first` again at clocks of which the last one makes the board draw power.limit, to 1 %; as it is where it
// draws no more at the clock of a burst, or where its power is not known. Three further runs at most.
[[nodiscard]] Prediction hold_power(const KernelProgram& program, const ArchSpec& arch,
                                    const SimOptions& options, Detail detail, Prediction first);

}  // namespace gpumodel
