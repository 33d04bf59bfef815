// Robust non-linear least squares: Eigen's Levenberg-Marquardt with Huber weights.
//
//   minimise sum rho((measured - predicted) / sigma), rho = Huber's with 1.345 robust standard deviations
//   covariance = s^2 (J' W J)^-1,  s^2 = max(1, sum w r^2 / (m - n))
// J is by central differences. s^2 is not let below 1: few rows that agree by chance prove nothing beyond
// their own sigma.
//
// A parameter is not identified when the weighted Jacobian (columns scaled to length 1) has a singular value
// below 1e-6 of the largest whose right vector contains it: changing it, alone or together with the others of
// that vector, changes no prediction.
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <vector>

namespace gpumodel {

enum class ParameterScale : unsigned char { linear, logarithmic };

struct FitParameter {
    double start = 0;  // > 0 where logarithmic
    double lower = 0, upper = 0;
    ParameterScale scale = ParameterScale::linear;
};

struct LeastSquares {
    std::vector<FitParameter> parameters;
    std::vector<double> measured;
    std::vector<double> sigma;  // standard deviations, > 0
    // Fills `predicted` (as long as measured); finite for all finite values.
    std::function<void(std::span<const double> values, std::span<double> predicted)> predict;
    double step = 1e-4;  // of the differences, relative
};

struct FittedParameter {
    double value = 0;
    double standard_error = 0;  // 0 where not identified
    bool identified = true;
    bool at_bound = false;               // held at lower or upper, where the fit would have left it
    std::vector<std::size_t> entangled;  // not identified: the other parameters of its vector
};

struct FittedRow {
    double predicted = 0;
    double deviation = 0;  // (measured - predicted) / sigma / robust standard deviation
    double weight = 1;     // Huber's; 1 = fits
};

struct Fit {
    std::vector<FittedParameter> parameters;
    std::vector<FittedRow> rows;
};

[[nodiscard]] Fit fit(const LeastSquares& problem);

}  // namespace gpumodel
