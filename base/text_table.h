// Rows of text as columns for people.
#pragma once

#include <string>
#include <vector>

namespace gpumodel {

// Left-aligned columns, two spaces apart; no trailing spaces. Rows may differ in length.
[[nodiscard]] std::string aligned(const std::vector<std::vector<std::string>>& rows);

}  // namespace gpumodel
