// The list of independent lower bounds on a launch, and which of them is the bottleneck.
#pragma once

#include <string>
#include <vector>

#include "model/analytic/latency.h"
#include "model/prediction.h"

namespace gpumodel {

// One bound per resource (busiest SM's blocks times the block's demand), the latency bound
// (rounds * a block alone), the barrier part of it, block dispatch and launch; descending, zeros left out.
[[nodiscard]] std::vector<Bound> list_bounds(const BlockTime& block, const Waves& waves,
                                             const ArchSpec& arch);

// Names of the bounds within 2 % of the largest. Empty (unknown) when even the largest explains less
// than 70 % of the predicted cycles, i.e. when interference of several terms sets the time.
[[nodiscard]] std::vector<std::string> find_bottlenecks(const std::vector<Bound>& bounds, double cycles);

// One sentence for the first screen.
[[nodiscard]] std::string describe_bottleneck(const Prediction& prediction);

}  // namespace gpumodel
