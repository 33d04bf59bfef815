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

// How much of a run is asked for.
struct RunLimit {
    double most_seconds = std::numeric_limits<double>::infinity();
    bool glance = false;  // no more than it takes to know about how long the launch takes
};

struct LaunchRun {
    SimResult result;  // of no meaning if stopped
    // The launch takes longer than the limit, or a glance was enough (extrapolate/least_time.h).
    bool stopped = false;
    double least_seconds = 0, expected_seconds = 0;  // of a stopped run: what it knew then
};

// As the arch is: options.relax is applied to the program only. Exact runs are never stopped.
[[nodiscard]] LaunchRun run_launch(const KernelProgram& program, const ArchSpec& arch,
                                   const SimOptions& options, const KnownTraffic& known = {},
                                   const RunLimit& limit = {});

}  // namespace gpumodel
