// predict's and simulate's json.
#pragma once

#include <string>

#include "tools/results/result_files.h"

namespace gpumodel::cli {

// Adds what the document says to `file`, whose path the faults name. Throws InputError (usage) with all of
// them.
void read_json_results(const std::string& content, ResultFile& file);

}  // namespace gpumodel::cli
