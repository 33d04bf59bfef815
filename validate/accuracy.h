// Predictions against measurements: errors per family and overall.
//   error = predicted / measured - 1;  MAPE = mean |error|
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "model/analytic/predict.h"
#include "validate/measurements.h"

namespace gpumodel {

struct ComparedLaunch {
    const Measurement* measured = nullptr;
    Prediction predicted;
    double error = 0;  // predicted / measured - 1
};

struct ErrorStatistics {
    std::string name;
    std::size_t launches = 0;
    double mape_pct = 0;
    double median_pct = 0;  // of |error|
    double p90_pct = 0;     // of |error|
    double bias_pct = 0;    // mean error
};

enum class RegisterSource : unsigned char { predicted, measured };

// One measured launch; without a prediction if the family is unknown or it does not fit.
struct LaunchPrediction {
    std::optional<Prediction> prediction;
    std::string reason;
};
[[nodiscard]] LaunchPrediction predict_launch(const Measurement& measured, const ArchSpec& arch,
                                              RegisterSource registers, const PredictOptions& options = {});

// Predicts every measured launch. Rows whose family is unknown or that do not fit are left out and
// counted in `skipped` with the first reason of each kind.
struct Comparison {
    std::vector<ComparedLaunch> launches;
    std::vector<std::string> skipped;
};
[[nodiscard]] Comparison compare(const std::vector<Measurement>& measurements, const ArchSpec& arch,
                                 RegisterSource registers);

// Of the launches that `include` accepts; launches == 0 leaves the figures at 0.
[[nodiscard]] ErrorStatistics error_statistics(const std::string& name, const Comparison& comparison,
                                               const std::function<bool(const ComparedLaunch&)>& include);

}  // namespace gpumodel
