// Why no block fits: which limit, what was asked and what is allowed. Core text only; nothing is printed.
#pragma once

#include <string>

#include "arch_specs/arch_spec.h"
#include "model/launch/occupancy.h"
#include "model/launch/resource_limits.h"

namespace gpumodel {

// "" when the request is one that the rules are defined for: at least one thread, nothing negative,
// a carve-out hint of 0 to 100 %. Otherwise every fault, joined by "; ".
[[nodiscard]] std::string check_request(const OccupancyRequest& request);

// Every limit that is 0, joined by "; ". Precondition: check_request is "" and no block fits.
[[nodiscard]] std::string infeasible_reason(const ArchSpec& arch, const OccupancyRequest& request);

}  // namespace gpumodel
