// Views of tune judged by measurements: a row per family and shape.
#pragma once

#include <string>
#include <vector>

#include "tools/tune/judge.h"

namespace gpumodel::cli::tuning {

[[nodiscard]] std::string judged_text(const std::vector<JudgedChoice>& rows, const SearchSettings& settings);
[[nodiscard]] std::string judged_csv(const std::vector<JudgedChoice>& rows, const SearchSettings& settings);
[[nodiscard]] std::string judged_json(const std::vector<JudgedChoice>& rows, const ArchSpec& arch,
                                      const SearchSettings& settings);

}  // namespace gpumodel::cli::tuning
