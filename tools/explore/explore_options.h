// The options of gpumodel explore, and the plan that they make.
#pragma once

#include <string>
#include <vector>

#include "tools/cli/option_values.h"
#include "tools/explore/explore_plan.h"

namespace gpumodel::cli {

inline constexpr std::int64_t most_explored = 1'000'000;  // points of a page, refused ones included

struct ExploreOptions {
    std::vector<std::string> archs;    // each a list
    std::vector<std::string> sets;     // --set of all of them
    std::vector<std::string> kernels;  // each a list
    std::vector<std::string> params;
    std::string m, n, k, clocks, threads;
    OutputOptions output;
};

void add_explore_options(Command& command, ExploreOptions& options);

// Throws InputError (usage) with every fault of the options; faults of a spec's file as its loader does.
[[nodiscard]] ExplorePlan explore_plan(const ExploreOptions& options);

// Of values of the family's parameters those farthest from the defaults are left out until at most `most`
// combinations remain.
[[nodiscard]] std::vector<ParamAxis> nearest_axes(const Family& family, std::vector<ParamAxis> axes,
                                                  std::int64_t most);

}  // namespace gpumodel::cli
