// C++ names of listings, logs and profiles as people read them.
#pragma once

#include <string>

namespace gpumodel {

// "gpumodel::kernels::naive<0>(int, float*)" for "_ZN8gpumodel..."; a name that is not mangled as it is.
[[nodiscard]] std::string readable_entry(const std::string& entry);

}  // namespace gpumodel
