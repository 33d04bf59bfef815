// The simulator's prediction where only short launches are asked for: searches that keep the best.
#pragma once

#include <optional>

#include "model/sim/predict_simulated.h"

namespace gpumodel {

// predict_simulated(), or nothing as soon as the simulation shows that the launch takes longer than
// `most_seconds` (least_time.h says how). The options' L2 state is the description's.
[[nodiscard]] std::optional<Prediction> predict_below(const DescribedLaunch& launch,
                                                      const SimOptions& options, double most_seconds);

}  // namespace gpumodel
