// The arguments that the subcommand sees: those typed, and what the user's settings add.
#pragma once

#include <string>
#include <vector>

#include "tools/cli/command_definition.h"
#include "tools/config/settings.h"

namespace gpumodel::cli {

// The subcommand that `arguments` name, as far as they name one; the program itself where they name none.
[[nodiscard]] const CommandDefinition& named_command(const CommandDefinition& program,
                                                     const std::vector<std::string>& arguments);

// No settings are needed to answer --help, --version, a shell's question, or for text about gpumodel itself.
[[nodiscard]] bool needs_settings(const CommandDefinition& program,
                                  const std::vector<std::string>& arguments);

// `arguments` with --option=value of each setting from the file or the environment that the subcommand has,
// takes with this value, and was not given: a required --arch, --format, --l2, --threads. --out - of a
// result that may go to standard output is left out.
[[nodiscard]] std::vector<std::string> with_settings(const CommandDefinition& program,
                                                     const std::vector<std::string>& arguments,
                                                     const Settings& settings);

// What is no option of one subcommand: colour, notes, the variables that other floors read. Options of the
// command line win.
void apply_settings(const Settings& settings);

}  // namespace gpumodel::cli
