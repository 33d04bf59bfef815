// gpumodel.1, from the subcommands' own definitions.
#pragma once

#include <string>

#include "tools/cli/command_definition.h"

namespace gpumodel::cli {

// roff with the man macros. Same bytes for the same program: no date, no path of this machine.
[[nodiscard]] std::string man_page(const CommandDefinition& program);

}  // namespace gpumodel::cli
