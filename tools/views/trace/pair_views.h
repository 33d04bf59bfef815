// Simulated times of generated programs beside those of compiled code, as tables.
#pragma once

#include <string>
#include <vector>

#include "validate/programs/simulated_pairs.h"

namespace gpumodel::cli {

// A row per architecture and family, then per architecture the tiles tuned on, those held back, and all; text
// with what was left out.
[[nodiscard]] std::string pairs_text(const SimulatedPairs& pairs, const std::vector<std::string>& archs);
[[nodiscard]] std::string pairs_csv(const SimulatedPairs& pairs, const std::vector<std::string>& archs);
// Every instance.
[[nodiscard]] std::string pair_rows_csv(const SimulatedPairs& pairs);

}  // namespace gpumodel::cli
