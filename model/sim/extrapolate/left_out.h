// What extrapolation has left out of a run so far; added to what was simulated it gives the whole.
#pragma once

#include "model/sim/extrapolate/windows.h"

namespace gpumodel::sim {

struct LeftOut {
    Cycle cycles = 0;
    SimCounters counters;
    std::vector<StallCycles> stalls;  // by code line; empty = nothing
    double error_cycles = 0;          // of `cycles`
    double warp_trips = 0;            // of top-level loops, by all warps
    std::int64_t blocks = 0;

    // `cycles` with `instructions`, the rest in the proportions of what was between two window ends; `error`
    // is the relative one of the cycles. Returns the cycles added.
    Cycle add(double more_cycles, double instructions, double error, const WindowEnd& from,
              const WindowEnd& to);
};

}  // namespace gpumodel::sim
