// The page of a sweep.
#pragma once

#include <string>

namespace gpumodel::cli::page {

struct SweepPageOptions {
    std::string file;
    std::string x, y;  // of the heat map; "" = chosen
};

// Reads the file twice, in memory that grows with the heat map only. Throws InputError (usage), all faults at
// once.
[[nodiscard]] std::string sweep_page(const SweepPageOptions& options);

}  // namespace gpumodel::cli::page
