// What a page to explore keeps of one launch: figures, as the analytic model gives them at each clock.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tools/explore/explore_plan.h"
#include "tools/report/site_access.h"

namespace gpumodel::cli {

// At one clock.
struct ExploredTime {
    double seconds = 0, cycles = 0, launch_seconds = 0;
    double sm_hz = 0;
    double peak_flops = 0;
    double achieved_occupancy = 0;
    std::optional<double> error_band_pct;
    std::vector<Bound> bounds;
    std::vector<std::string> bottlenecks;
};

struct ExploredLaunch {
    std::string refused;                 // "infeasible: the rule" or "error: ..."; empty: all else is there
    std::vector<std::int64_t> followed;  // values of the kernel's `following` parameters
    BlockResources resources;
    Occupancy occupancy;
    Waves waves;
    Dim3 grid;
    double flops = 0, effective_bytes = 0;
    std::string peak_unit;                   // Prediction::peak_unit
    std::string program;                     // words for where its code is from
    std::vector<page::SharedAccess> shared;  // lanes and banks
    std::vector<ExploredTime> times;         // one per clock
};

// Pure; every figure is the one that predict --model analytic prints for the same launch.
[[nodiscard]] ExploredLaunch explored_launch(const ExplorePlan& plan, const ExplorePlace& place);

}  // namespace gpumodel::cli
