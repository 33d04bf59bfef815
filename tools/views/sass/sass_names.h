// Names in the listing's analysis that all its formats share.
#pragma once

#include <string>

#include "traces/sass/analysis/listing_analysis.h"

namespace gpumodel::cli {

// "shared_load_128"
[[nodiscard]] std::string access_name(const AccessWidth& width);

// "name=count" pairs of what occurs, joined; `equals` and `between` as the format wants them.
[[nodiscard]] std::string class_list(const InstructionCounts& counts, const char* equals,
                                     const char* between);
[[nodiscard]] std::string access_list(const InstructionCounts& counts, const char* equals,
                                      const char* between);

// Share of the FFMAs of which at least two reads fall on one bank, reuse hits taken out.
[[nodiscard]] double conflict_share(const PortStatistics& ports);

}  // namespace gpumodel::cli
