// simulate() for callers who know something about the launch already, or who need its time only if it is
// short.
#pragma once

#include <limits>

#include "model/sim/simulate.h"

namespace gpumodel {

// What describe_launch has found: averages over waves of so many resident blocks, with the same L2 state.
struct KnownTraffic {
    const Traffic* traffic = nullptr;
    int blocks_per_sm = 0;
};

struct LaunchRun {
    SimResult result;      // of no meaning if stopped
    bool stopped = false;  // the launch takes longer than `most_seconds` (extrapolate/least_time.h)
};

// As the arch is: options.relax is applied to the program only. Exact runs are never stopped.
[[nodiscard]] LaunchRun run_launch(const KernelProgram& program, const ArchSpec& arch,
                                   const SimOptions& options, const KnownTraffic& known = {},
                                   double most_seconds = std::numeric_limits<double>::infinity());

}  // namespace gpumodel
