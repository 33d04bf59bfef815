// What `gpumodel predict --recording` found: each launch, and the accuracy by kernel.
#pragma once

#include <string>
#include <vector>

#include "arch_specs/arch_spec.h"
#include "model/prediction.h"
#include "validate/recording/recording.h"

namespace gpumodel::cli {

struct ReplayedLaunch {
    const RecordedLaunch* recorded = nullptr;
    Prediction prediction;              // status error with the reason where the launch is refused
    std::optional<double> measured_us;  // empty on another GPU than the recording's

    [[nodiscard]] std::optional<double> error() const {  // predicted / measured - 1
        return measured_us && is_predicted(prediction.status)
                   ? std::optional(1e6 * prediction.time_seconds / *measured_us - 1)
                   : std::nullopt;
    }
};

[[nodiscard]] std::string recording_text(const Recording& recording,
                                         const std::vector<ReplayedLaunch>& launches, const ArchSpec& arch);
// A row per launch.
[[nodiscard]] std::string recording_csv(const std::vector<ReplayedLaunch>& launches);
[[nodiscard]] std::string recording_json(const Recording& recording,
                                         const std::vector<ReplayedLaunch>& launches, const ArchSpec& arch);

}  // namespace gpumodel::cli
