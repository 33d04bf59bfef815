// The GPUs and clocks of a page to explore, as --arch, --set and --clock say them.
#pragma once

#include <string>
#include <vector>

#include "tools/cli/option_values.h"
#include "tools/explore/explore_plan.h"

namespace gpumodel::cli {

inline constexpr const char* default_archs = "h200_sxm,rtx_4090,a100_sxm4_80gb,v100_sxm2,k40";
inline constexpr const char* default_clocks = "100%,70%";

// Fills in the plan's GPUs, clocks and overrides. `archs`: each a list, none = the default ones; `sets` hold
// for all; `clocks`: shares of each spec's own clock or frequencies, "" = the default ones. Usage faults join
// `faults`; those of a spec's file are thrown.
void choose_gpus(const std::vector<std::string>& archs, const std::vector<std::string>& sets,
                 const std::string& clocks, ExplorePlan& plan, OptionFaults& faults);

}  // namespace gpumodel::cli
