// Predictions as json documents.
#pragma once

#include <nlohmann/json.hpp>
#include <vector>

#include "tools/views/prediction/report.h"

namespace gpumodel {

[[nodiscard]] nlohmann::ordered_json prediction_json(const Prediction& prediction);
// [{"what": "address", "address": 368, "instruction": "LDG.E R4, [R2.64]"}, ...]
[[nodiscard]] nlohmann::ordered_json unknown_data_json(const Prediction& prediction);

// One launch: by one model, or by both, the simulator's first; then the document also carries their
// disagreement.
[[nodiscard]] nlohmann::ordered_json predictions_json(const std::vector<Prediction>& models,
                                                      const ReportMetadata& metadata);

// The fields of that document before its list "predictions", for many launches.
[[nodiscard]] nlohmann::ordered_json predictions_head(const ReportMetadata& metadata);
// What a member of it is; members that are empty are left out where they may be.
[[nodiscard]] nlohmann::ordered_json metadata_json(const ReportMetadata& metadata);

}  // namespace gpumodel
