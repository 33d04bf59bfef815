// The simulator's prediction where only short launches are asked for: searches that keep the best.
#pragma once

#include <optional>

#include "model/sim/predict_simulated.h"

namespace gpumodel {

// predict_simulated(), or nothing as soon as the simulation shows that the launch takes longer than
// `most_seconds` (least_time.h says how). The options' L2 state is the description's.
[[nodiscard]] std::optional<Prediction> predict_below(const DescribedLaunch& launch,
                                                      const SimOptions& options, double most_seconds);

// What the first windows of a simulation show of a launch.
struct Glance {
    double expected_seconds = 0;  // infinite if it cannot run
    double least_seconds = 0;     // it takes at least
};
// The whole simulation where that is as short, or exact.
[[nodiscard]] Glance glance_at(const DescribedLaunch& launch, const SimOptions& options);

}  // namespace gpumodel
