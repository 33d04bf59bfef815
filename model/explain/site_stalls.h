// A run's warp cycles by source site: the access sites of each segment, and what else the segment executes.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "model/sim/simulate.h"

namespace gpumodel {

struct SiteStalls {
    std::string segment;  // "k tile"
    std::string site;     // "A tile load"; "" = the segment's other instructions
    double instructions = 0;
    double warp_cycles = 0;
    std::array<double, stall_reason_count> cycles{};  // sum = warp_cycles
};

// Most warp cycles first. A load's own cycles are here; those spent waiting for its result belong to the
// instruction that uses it.
[[nodiscard]] std::vector<SiteStalls> stalls_by_site(const SimResult& run);

}  // namespace gpumodel
