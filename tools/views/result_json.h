// The head that every json result starts with: schema_version and the metadata block of the contract.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "arch_specs/arch_spec.h"
#include "tools/views/prediction/report.h"

namespace gpumodel::cli {

[[nodiscard]] nlohmann::ordered_json json_head(const ArchSpec& arch);

// The same for the reports of model/report, which know no command line.
[[nodiscard]] ReportMetadata report_metadata(const ArchSpec& arch);

// null for an empty optional.
template <typename T>
[[nodiscard]] nlohmann::ordered_json json_optional(const std::optional<T>& value) {
    return value ? nlohmann::ordered_json(*value) : nlohmann::ordered_json(nullptr);
}

// The document as printed. Bytes that are no UTF-8 (file names, csv cells) come out as U+FFFD.
[[nodiscard]] std::string json_text(const nlohmann::ordered_json& json);

}  // namespace gpumodel::cli
