// The analytic model on columns of launches: numbers in, numbers out, no text of rows between.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "model/memory/traffic.h"

namespace gpumodel::python {

// Launches of one family by our own generator's code. `cells`: row by row, a value for each of `names`: the
// family's parameters and "M", "N", "K"; what is not named is the family's default.
struct ManyLaunches {
    std::string arch;
    std::vector<std::string> sets;  // --set KEY=VALUE
    std::string kernel;
    std::vector<std::string> names;
    std::span<const std::int64_t> cells;
    L2State l2 = L2State::warm;
    int threads = 0;  // 0 = all cores
    bool counters = false;
};

// Equal rows are one launch, predicted once: a row's values are those of launch `launch_of_row`. Columns are
// the contract's (csv) with the values before they are rounded; NaN = not predicted.
struct ManyPredictions {
    std::vector<std::int64_t> launch_of_row;
    std::map<std::string, std::vector<double>> numbers;
    std::map<std::string, std::vector<std::string>> texts;  // status, reason, occupancy_limiter, bottleneck
};

// A launch that cannot run has a status and a reason. Throws InputError for a GPU, a family or a parameter
// that there is not, and Stopped.
[[nodiscard]] ManyPredictions predict_many(const ManyLaunches& launches);

}  // namespace gpumodel::python
