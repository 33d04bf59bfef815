// The architecture that a listing names.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "traces/sass/sass_module.h"

namespace gpumodel {

// "sm_70" in the text, "" if none.
[[nodiscard]] std::string arch_in(std::string_view text);

// Empty for an architecture that the reader refuses.
[[nodiscard]] std::optional<SassIsa> isa_of(const std::string& arch);

}  // namespace gpumodel
