// What an option or positional takes, as far as its definition or its name says.
#pragma once

#include <string>
#include <vector>

#include "tools/help/complete.h"

namespace gpumodel::cli {

// Earlier options of the line that later ones depend on; the last given counts, "" = not given.
struct GivenOptions {
    std::string arch, kernel;
    std::string vs_arch, vs_kernel;
};

// The whole list, unfiltered except that spec keys and parameters are only looked up for what `typed` needs.
// Enumerations: as defined. By name: --arch, --kernel, -p, --set and their --vs-
// forms. Files: what the description calls so.
[[nodiscard]] Completion values_of(const CommandDefinition& command, const OptionDefinition& option,
                                   const GivenOptions& given, const std::string& typed);

}  // namespace gpumodel::cli
