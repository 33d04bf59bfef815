// What `gpumodel sass` prints.
#pragma once

#include <string>
#include <vector>

#include "tools/cli/command.h"
#include "traces/sass/analysis/listing_analysis.h"

namespace gpumodel::cli {

struct SassEntry {
    const SassFunction* function = nullptr;
    std::string bank_rules;  // product whose register banks were used, "" = none known
    SassAnalysis analysis;
};

[[nodiscard]] std::string sass_text(const SassModule& module, const std::vector<SassEntry>& entries);
[[nodiscard]] std::string sass_json(const SassModule& module, const std::vector<SassEntry>& entries);

// One row for the whole entry (region "all"), one for what is outside loops, one per loop without its
// inner loops.
[[nodiscard]] std::string sass_csv(const std::vector<SassEntry>& entries);

}  // namespace gpumodel::cli
