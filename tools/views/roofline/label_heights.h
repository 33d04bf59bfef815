// Where labels in a column stand so that none lies on another.
#pragma once

#include <vector>

namespace gpumodel::cli {

// Middles of labels of `height` each, for `wanted` middles in ascending order: as near to those as can be
// within top ... bottom. Labels that would overlap are pooled into stacks around their mean (isotonic
// regression by pooling adjacent violators). More labels than fit run over the bottom.
[[nodiscard]] std::vector<double> label_heights(const std::vector<double>& wanted, double height, double top,
                                                double bottom);

}  // namespace gpumodel::cli
