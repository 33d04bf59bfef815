// The head of the json results of `gpumodel trace`.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "traces/trace/trace_file.h"

namespace gpumodel::cli {

[[nodiscard]] nlohmann::ordered_json trace_json_head(const TraceFile& trace, const std::string& file);

}  // namespace gpumodel::cli
