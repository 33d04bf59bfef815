// How axes are typed: KEY=VALUES, values separated by commas.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "tools/cli/option_values.h"

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

}  // namespace gpumodel::cli
