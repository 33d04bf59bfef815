// When windows of a run have become alike.
//
//   steady = max(2 standard errors of the mean, difference between the halves' means) <= tolerance x mean,
//            over the windows behind the warm-up
#pragma once

#include <optional>
#include <vector>

namespace gpumodel::sim {

struct Steady {
    std::size_t windows = 0;  // the last so many
    double mean = 0;
    double error = 0;  // relative, of the mean
};

// `values`: one figure per window, oldest first. `work`: see policy.h.
[[nodiscard]] std::optional<Steady> steady_state(const std::vector<double>& values, double work);

[[nodiscard]] double mean_of(const double* first, std::size_t count);

}  // namespace gpumodel::sim
