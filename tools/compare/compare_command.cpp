// To be replaced.
#include "tools/command.h"

namespace gpumodel::cli {

void add_compare_command(CLI::App&, Action&) {}

}  // namespace gpumodel::cli
