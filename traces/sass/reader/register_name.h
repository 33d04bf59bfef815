// Register names as listings print them.
#pragma once

#include <string_view>

#include "traces/sass/sass_module.h"

namespace gpumodel {

enum class NameFit : unsigned char { none, fits, out_of_range };

// "R12", "URZ", "P0", "B3" without sign or suffix; sets `kind` and `index` only where the name fits.
[[nodiscard]] NameFit match_register(std::string_view name, OperandKind& kind, int& index);

}  // namespace gpumodel
