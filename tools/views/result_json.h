// The head that every json result starts with: schema_version and the metadata block of the contract.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "arch_specs/arch_spec.h"
#include "base/json_text.h"
#include "tools/views/prediction/report.h"

namespace gpumodel::cli {

[[nodiscard]] nlohmann::ordered_json json_head(const ArchSpec& arch);
// Of a result that is of no architecture, or of several.
[[nodiscard]] nlohmann::ordered_json json_head();

// The same as text, for pages and headers.
[[nodiscard]] ReportMetadata report_metadata(const ArchSpec& arch);

// null for an empty optional.
template <typename T>
[[nodiscard]] nlohmann::ordered_json json_optional(const std::optional<T>& value) {
    return value ? nlohmann::ordered_json(*value) : nlohmann::ordered_json(nullptr);
}

}  // namespace gpumodel::cli
