#include <algorithm>

#include "traces/kernel_program.h"

namespace gpumodel {

std::string_view CodeText::source_at(std::uint32_t address) const {
    const auto found = std::lower_bound(addresses.begin(), addresses.end(), address);
    if (sources.empty() || found == addresses.end() || *found != address) {
        return "";
    }
    return sources[static_cast<std::size_t>(found - addresses.begin())];
}

}  // namespace gpumodel
