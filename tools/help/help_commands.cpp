// To be replaced.
#include "tools/command.h"

namespace gpumodel::cli {

void add_help_commands(CLI::App&, Action&) {}

}  // namespace gpumodel::cli
