// To be replaced.
#include "tools/command.h"

namespace gpumodel::cli {

void add_report_command(CLI::App&, Action&) {}

}  // namespace gpumodel::cli
