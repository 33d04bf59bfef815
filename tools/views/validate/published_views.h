// Views of `gpumodel validate --published`.
#pragma once

#include <string>

#include "validate/published/published.h"

namespace gpumodel::cli {

[[nodiscard]] std::string published_text(const PublishedReport& report);
[[nodiscard]] std::string published_csv(const PublishedReport& report);
[[nodiscard]] std::string published_json(const PublishedReport& report);
// csv of every launch, line by line
[[nodiscard]] std::string published_rows_header();
[[nodiscard]] std::string published_row(const PublishedLadder& ladder, const ComparedLaunch& launch);

}  // namespace gpumodel::cli
