// How well programs match compiled code, as tables.
#pragma once

#include <string>
#include <vector>

#include "validate/programs/codegen_fidelity.h"

namespace gpumodel::cli {

// A row per architecture and family, then per architecture the tiles tuned on, those held back, and all; text
// with the targets and what was left out.
[[nodiscard]] std::string fidelity_text(const FidelityTable& table, const std::vector<std::string>& archs);
[[nodiscard]] std::string fidelity_csv(const FidelityTable& table, const std::vector<std::string>& archs);
// Every instance.
[[nodiscard]] std::string fidelity_rows_csv(const FidelityTable& table);

}  // namespace gpumodel::cli
