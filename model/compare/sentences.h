// A comparison in a few sentences, from its numbers alone.
#pragma once

#include <string>
#include <vector>

#include "model/compare/compare.h"

namespace gpumodel {

// Of two launches that have a time (comparable()):
//  1. how much less or more time b takes;
//  2. the parts that make up most of the difference, with the share of it and, where a counter of the same
//     resource moved the same way by 2 % or more, that counter; then the largest part that goes against it.
//     Where the parts move by more than three times the difference, the largest moves instead of shares;
//  3. bottleneck and occupancy, where they change;
//  4. doubts: a difference within the error band, an analytic model (`analytic`, may be null) that sees it
//     the other way round, or less than a third or more than three times as large.
[[nodiscard]] std::vector<std::string> comparison_sentences(const LaunchRecord& a, const LaunchRecord& b,
                                                            const LaunchComparison& comparison,
                                                            const LaunchComparison* analytic);

}  // namespace gpumodel
