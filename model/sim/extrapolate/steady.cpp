#include "model/sim/extrapolate/steady.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "model/sim/extrapolate/policy.h"

namespace gpumodel::sim {

double mean_of(const double* first, std::size_t count) {
    return std::accumulate(first, first + count, 0.0) / static_cast<double>(count);
}

std::optional<Steady> steady_state(const std::vector<double>& values, double work) {
    const auto warm_up = policy::warm_up(values.size());
    if (values.size() < warm_up + policy::fewest_windows(work)) {
        return std::nullopt;
    }
    Steady steady;
    steady.windows = values.size() - warm_up;
    const double* first = values.data() + warm_up;
    steady.mean = mean_of(first, steady.windows);
    // a single window is compared with the one before
    const std::size_t compared = std::max<std::size_t>(2, steady.windows);
    first = values.data() + values.size() - compared;
    double squares = 0;
    for (std::size_t i = 0; i < compared; ++i) {
        squares += (first[i] - steady.mean) * (first[i] - steady.mean);
    }
    const auto n = static_cast<double>(compared);
    const double standard_error = std::sqrt(squares / (n - 1) / n);
    const auto half = compared / 2;
    const double drift = mean_of(first, half) - mean_of(first + compared - half, half);
    steady.error = std::max(2 * standard_error, std::abs(drift)) / steady.mean;
    return steady.error <= policy::tolerance(work) ? std::optional(steady) : std::nullopt;
}

}  // namespace gpumodel::sim
