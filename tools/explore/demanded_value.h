// The one value of a parameter that a validity rule allows beside the others.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>

namespace gpumodel::cli {

// Of a rule as families word it, "THREADS = 128 must equal 32*(BN/WN)*(BM/WM) = 256": THREADS and 256.
// Nothing for other reasons.
[[nodiscard]] std::optional<std::pair<std::string, std::int64_t>> demanded_value(const std::string& reason);

}  // namespace gpumodel::cli
