// gpumodel occupancy --jobs: many launches from a csv file with the columns threads, registers, shared.
#pragma once

#include <string>

#include "tools/views/occupancy/occupancy_views.h"

namespace gpumodel::cli {

// `base` gives what a row does not state (barriers, carve-out). Throws InputError (usage) with every
// malformed row.
[[nodiscard]] OccupancyTable occupancy_table(const std::string& path, const ArchSpec& arch,
                                             const OccupancyRequest& base);

}  // namespace gpumodel::cli
