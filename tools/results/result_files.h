// Predictions as gpumodel wrote them: json of predict and simulate, csv of predict and sweep.
#pragma once

#include <string>
#include <vector>

#include "model/compare/launch_record.h"

namespace gpumodel::cli {

struct ResultFile {
    std::string path;
    std::vector<LaunchRecord> launches;  // in file order
    // json only, else "".
    std::string tool_version, spec_hash, command_line;
};

// "-" is standard input. The format is told by the content: json begins with '{'. Unknown fields of json and
// columns of counters that this version does not know are ignored; other further columns of csv become the
// launch's `variant`. Throws InputError (usage) with every fault: a file that cannot be read or holds no
// predictions, another schema_version, values of a wrong type, a time that is not above 0.
[[nodiscard]] ResultFile read_results(const std::string& path);

}  // namespace gpumodel::cli
