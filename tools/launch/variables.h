// --variables NAME=CONTENTS: what variables of the module hold.
#pragma once

#include <string>
#include <vector>

#include "tools/cli/option_values.h"
#include "traces/emulate/sass_block_source.h"

namespace gpumodel::cli {

// NAME as in the code or in C++ (`table`, `ns::table`); CONTENTS as in --args, of the variable's size.
// Faults: no NAME=CONTENTS, no variable or several of that name, one named twice, contents that are none or
// longer than the variable, files that cannot be read.
[[nodiscard]] std::vector<GivenVariable> variables_of(const std::vector<std::string>& texts,
                                                      const SassFunction& function, OptionFaults& faults);

}  // namespace gpumodel::cli
