// One warp's shared-memory access as a drawing: lanes above, banks below, a colour for each wavefront.
#pragma once

#include <string>
#include <vector>

#include "model/memory/banks/bank_conflicts.h"
#include "tools/views/chart/svg.h"

namespace gpumodel::cli::page {

// `words` as bank_picture() gives them. Lanes stand in the colour of the first wavefront that serves them.
// Wavefronts beyond the first twelve are counted, not drawn.
[[nodiscard]] std::string bank_drawing(const std::string& title, const std::vector<BankWord>& words,
                                       int banks, chart::Embedding embedding = chart::Embedding::page);

}  // namespace gpumodel::cli::page
