// Predicted counters beside a profiler's.
#pragma once

#include <string>
#include <vector>

#include "arch_specs/arch_spec.h"
#include "model/prediction.h"
#include "validate/counters/counters.h"
#include "validate/counters/ncu_profile.h"

namespace gpumodel::cli {

// One row per counter over all launches.
[[nodiscard]] std::string counters_text(const std::vector<CounterStatistics>& rows,
                                        const CounterComparison& comparison);
[[nodiscard]] std::string counters_csv(const std::vector<CounterStatistics>& rows);
[[nodiscard]] std::string counters_json(const std::vector<CounterStatistics>& rows,
                                        const CounterComparison& comparison, const ArchSpec& arch);
// csv of every launch and counter
[[nodiscard]] std::string counter_rows_csv(const CounterTable& table, const CounterComparison& comparison);

// A profile's launch with what the models say of it.
struct ProfiledPrediction {
    const ProfiledLaunch* launch = nullptr;
    std::vector<Prediction> predictions;  // one per model
    std::string reason;                   // without predictions
};
[[nodiscard]] std::string profile_text(const std::vector<ProfiledPrediction>& launches);
[[nodiscard]] std::string profile_csv(const std::vector<ProfiledPrediction>& launches);
[[nodiscard]] std::string profile_json(const std::vector<ProfiledPrediction>& launches, const ArchSpec& arch);

[[nodiscard]] std::string dim_text(const Dim3& d);  // "32,8,1"

}  // namespace gpumodel::cli
