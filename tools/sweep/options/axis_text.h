// Axes as they are typed: KEY=VALUES, values separated by commas.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "tools/sweep/options/grid.h"

namespace gpumodel::cli {

inline constexpr std::size_t most_axis_values = 1'000'000;

// At `separator` outside of brackets; an empty text is one empty part.
[[nodiscard]] std::vector<std::string> split_values(const std::string& text, char separator);

// take(key, values, place) for each sound item whose key is new; the others' faults join the list. `place` is
// "option: key".
using TakeAxis =
    std::function<void(const std::string& key, const std::string& values, const std::string& place)>;
void each_axis_item(const std::vector<std::string>& items, const std::string& option, OptionFaults& faults,
                    const TakeAxis& take);

// "64,128,256", "8:32:8" (first:last:step, the last included when a step meets it; without a step 1), or a
// mixture "8,16:64:16". Faults (no number, a step below 1, twice the same value, more than a million values)
// join `faults` under `option`; then empty.
[[nodiscard]] std::vector<std::int64_t> axis_values(const std::string& text, const std::string& option,
                                                    OptionFaults& faults);

// "1024" (cube), "4096x2048x512" (MxNxK), comma-separated, or a range "1024:4096:1024" of cubes; each
// dimension from 1 to largest_dimension. Faults as above.
[[nodiscard]] std::vector<ProblemShape> shape_list(const std::string& text, const std::string& option,
                                                   OptionFaults& faults);

// "BM=64,128" items, one axis each; UNROLL may also be "auto" (0). Faults as above, and keys given twice.
[[nodiscard]] std::vector<ParamAxis> param_axes(const std::vector<std::string>& items,
                                                const std::string& option, OptionFaults& faults);

// Keys that the family has not got (with the nearest) and values outside their range. Derived parameters
// have no range.
void check_param_axes(const Family& family, const std::vector<ParamAxis>& axes, const std::string& option,
                      OptionFaults& faults);

}  // namespace gpumodel::cli
