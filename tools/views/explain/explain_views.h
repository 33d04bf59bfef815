// Views of explain(): what each lifted limiter would buy.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "model/explain/explain.h"

namespace gpumodel::cli {

// "" without rows.
[[nodiscard]] std::string explain_text(const std::vector<ExplainRow>& rows);
[[nodiscard]] nlohmann::ordered_json explain_json(const std::vector<ExplainRow>& rows);

}  // namespace gpumodel::cli
