// Which spec keys a study varies or scales, as typed.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "model/sensitivity/sensitivity.h"
#include "tools/cli/option_values.h"

namespace gpumodel::cli {

// '*' stands for any characters, dots included, '?' for one.
[[nodiscard]] bool matches_glob(std::string_view pattern, std::string_view text);

// Numbers of the spec that match a pattern of any of the comma-separated lists, in schema order. Patterns
// that match none, and names of keys that are no numbers or absent, join `faults` under --keys.
[[nodiscard]] std::vector<const Field*> selected_keys(const std::vector<std::string>& lists,
                                                      const VariableSpec& spec, OptionFaults& faults);

// KEY=FACTOR pairs: the key's number times the factor. Faults join under --scale.
[[nodiscard]] std::vector<SpecChange> scaled_keys(const std::vector<std::string>& pairs,
                                                  const VariableSpec& spec, OptionFaults& faults);

}  // namespace gpumodel::cli
