// What a model says of one measured launch.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/enum_table.h"
#include "model/analytic/predict.h"
#include "validate/accuracy/measurements.h"
#include "validate/programs/listed_kernels.h"

namespace gpumodel {

// Simulator and analytic model on generated code, and (..._sass) on the measured code itself.
enum class ModelKind : unsigned char { simulate_sass, simulate, analytic, analytic_sass };
inline constexpr std::size_t model_count = enumerator_count<ModelKind>;
[[nodiscard]] std::string_view to_string(ModelKind model);  // "simulate-sass", "simulate", "analytic", ...
[[nodiscard]] constexpr bool on_compiled_code(ModelKind model) {
    return model == ModelKind::simulate_sass || model == ModelKind::analytic_sass;
}
[[nodiscard]] constexpr bool is_analytic(ModelKind model) {
    return model == ModelKind::analytic || model == ModelKind::analytic_sass;
}

// Compiled code comes with its registers: simulate_sass and analytic_sass always take the measured ones.
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
