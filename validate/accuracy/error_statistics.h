// How far and in which order predictions lie from measurements: pure functions of pairs.
//   error = predicted / measured - 1
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace gpumodel {

struct ErrorStatistics {
    std::string name;
    std::size_t launches = 0;
    double mape_pct = 0;    // mean |error|
    double median_pct = 0;  // of |error|
    double p90_pct = 0;     // of |error|: 9 of 10 are at most this large
    double bias_pct = 0;    // mean error
};

// All figures are 0 without errors.
[[nodiscard]] ErrorStatistics error_statistics(const std::string& name, const std::vector<double>& errors);

struct TimePair {
    double predicted = 0;
    double measured = 0;
};

// Kendall's tau-b; ties in either order count as neither. Empty for fewer than two pairs, and where one side
// is constant.
[[nodiscard]] std::optional<double> kendall_tau(const std::vector<TimePair>& pairs);

// The best measured time among the `top` best predicted over the best of all, minus 1. `pairs` is not empty.
[[nodiscard]] double regret(const std::vector<TimePair>& pairs, std::size_t top);

struct SizedError {
    std::size_t instance = 0;  // equal for the sizes of one configuration
    double log2_size = 0;
    double error = 0;
};

// Least squares slope of the error over log2(size) with an offset of its own for each instance: what a
// doubling of the size adds to the error. Empty if no instance has two sizes.
[[nodiscard]] std::optional<double> slope_per_doubling(const std::vector<SizedError>& errors);

}  // namespace gpumodel
