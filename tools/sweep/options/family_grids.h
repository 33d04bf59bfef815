// The families of a study and what varies in each of them, as --kernel and -p say it.
#pragma once

#include <string>
#include <vector>

#include "tools/cli/option_values.h"
#include "tools/sweep/study.h"

namespace gpumodel::cli {

// Each item a list of families; unknown names (with the nearest) and repeated ones are faults of --kernel.
[[nodiscard]] std::vector<const Family*> chosen_families(const std::vector<std::string>& kernels,
                                                         OptionFaults& faults);

// A parameter of one family among several is an axis of that one alone; known to none, it is a fault of all.
void check_known_axes(const std::vector<const Family*>& families, const std::vector<ParamAxis>& axes,
                      OptionFaults& faults);

// The family's own of the axes given, then those of `others` whose parameter is not given; no shapes yet.
[[nodiscard]] FamilyGrid family_grid(const Family& family, const std::vector<ParamAxis>& given,
                                     std::vector<ParamAxis> others, OptionFaults& faults);

}  // namespace gpumodel::cli
