// What a model says of one measured launch.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "model/analytic/predict.h"
#include "validate/accuracy/measurements.h"
#include "validate/programs/listed_kernels.h"

namespace gpumodel {

// simulate_sass: the simulator on the measured code itself; simulate: on generated code.
enum class ModelKind : unsigned char { simulate_sass, simulate, analytic };
inline constexpr std::size_t model_count = 3;
[[nodiscard]] std::string_view to_string(ModelKind model);  // "simulate-sass", "simulate", "analytic"

// Compiled code comes with its registers: simulate_sass always takes the measured ones.
enum class RegisterSource : unsigned char { predicted, measured };

struct LaunchSettings {
    ModelKind model = ModelKind::analytic;
    RegisterSource registers = RegisterSource::predicted;
    L2State l2 = L2State::warm;
    const ListedKernels* listing = nullptr;  // for simulate_sass, and for all of family "sass"
};

// Without a prediction if the family is unknown, the entry is not in the listing, the launch does not fit, or
// its code cannot be executed; `reason` says which.
struct LaunchPrediction {
    std::optional<Prediction> prediction;
    std::string reason;
};
[[nodiscard]] LaunchPrediction predict_launch(const Measurement& measured, const ArchSpec& arch,
                                              const LaunchSettings& settings);

// The stall reason with the most warp cycles, "long_scoreboard 43 %"; "" without a simulation.
[[nodiscard]] std::string main_stall(const Prediction& prediction);

}  // namespace gpumodel
