// The stall reasons that a profile shows most of, beside those that are predicted.
//
//   same set      the three reasons with the most warp cycles are the same three, in any order
//   each within   each of the measured three is predicted within 25 % of its own value
// `selected` is no stall. Reasons that are not predicted (imc_miss, drain ...) are among the measured ones
// all the same, and predicted as 0.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gpumodel {

struct StallOfLaunch {
    std::string reason;           // Nsight Compute's word
    double cycles_per_issue = 0;  // smsp__average_warps_issue_stalled_<reason>_per_issue_active
};
using StallProfile = std::vector<StallOfLaunch>;

// All reasons that a profiler counts; `counter` gives a launch's counters by name, and those without one are
// left out.
[[nodiscard]] StallProfile stall_profile(
    const std::function<std::optional<double>(const std::string&)>& counter);

struct StallVerdict {
    bool same_set = false, each_within = false;
};
// Nothing where fewer than three reasons were measured or none was predicted.
[[nodiscard]] std::optional<StallVerdict> judge_stalls(const StallProfile& measured,
                                                       const StallProfile& predicted);

struct StallSets {
    std::size_t launches = 0, same_set = 0, each_within = 0, both = 0;
    void add(const StallVerdict& verdict);
};

}  // namespace gpumodel
