// Views of explain(): what each lifted limiter would buy.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "model/explain/explain.h"

namespace gpumodel::cli {

// Both empty and unchanged without rows.
[[nodiscard]] std::string explain_text(const std::vector<ExplainRow>& rows);
// The json document `report` (an object) with a field `explain` at its end.
[[nodiscard]] std::string with_explain(std::string report, const std::vector<ExplainRow>& rows);
[[nodiscard]] nlohmann::ordered_json explain_json(const std::vector<ExplainRow>& rows);

}  // namespace gpumodel::cli
