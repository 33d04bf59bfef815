// Spec keys as axes.
#pragma once

#include <string>
#include <vector>

#include "tools/sweep/options/grid.h"

namespace gpumodel::cli {

// "sm.shared_memory.banks=16,32,64" or "device.sm_count=60:120:20" items, one axis each. Values are written
// as for --set, a range with its unit behind ("700:900:100 GB/s"); a list's own commas stand in brackets.
// Faults: unknown keys (with the nearest), values that do not fit their key, twice the same key or value.
[[nodiscard]] std::vector<ArchAxis> arch_axes(const std::vector<std::string>& items,
                                              const std::string& option, OptionFaults& faults);

}  // namespace gpumodel::cli
