// The kernels of this folder by name. Throws std::logic_error for one that there is not.
#pragma once

#include <map>
#include <stdexcept>
#include <string>

namespace gpumodel::microbench {

[[nodiscard]] const void* memory_kernel(const std::string& entry);

}  // namespace gpumodel::microbench
