// Predictions for searches that keep only the fastest launches.
#pragma once

#include "model/sim/predict_below.h"
#include "tools/launch/prediction_job.h"

namespace gpumodel::cli {

// predict_launch(), or nothing as soon as the simulation shows that the launch takes longer than
// `most_seconds` (model/sim/predict_below.h).
[[nodiscard]] std::optional<std::vector<Prediction>> predict_launch_below(const LaunchProgram& launch,
                                                                          const ArchSpec& arch,
                                                                          const PredictSettings& settings,
                                                                          double most_seconds);

// glance_at() of a launch with a program; one that the simulator cannot take has no expected time.
[[nodiscard]] Glance glance_at_launch(const LaunchProgram& launch, const ArchSpec& arch,
                                      const PredictSettings& settings);

}  // namespace gpumodel::cli
