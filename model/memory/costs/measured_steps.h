// What lies between measured points: in proportion on logarithmic scales; the first and the last one beyond.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <span>
#include <utility>

namespace gpumodel {

// `measured`: (at, value), both positive, ascending by `at`; not empty.
[[nodiscard]] inline double between_measured(std::span<const std::pair<double, double>> measured, double at) {
    for (std::size_t i = 1; i < measured.size(); ++i) {
        const auto& [low, value] = measured[i - 1];
        const auto& [high, next] = measured[i];
        if (at < high) {
            const double part = std::log(std::max(at, low) / low) / std::log(high / low);
            return value * std::pow(next / value, part);
        }
    }
    return measured.back().second;
}

}  // namespace gpumodel
