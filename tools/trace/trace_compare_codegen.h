// gpumodel trace compare-codegen: how well the families' programs match compiled code.
#pragma once

#include <string>

#include "tools/cli/command.h"

namespace gpumodel::cli {

struct CompareCodegenOptions {
    std::string listings = "validate/listings";  // folder
    std::string arch;                            // one generation; "" = all
    std::int64_t size = 1024;
    bool rows = false;       // every instance instead of the table
    bool simulate = false;   // simulated times instead of counts
    std::string kernel;      // with simulate: part of "family params"
    std::size_t sample = 0;  // with simulate: so many per architecture; 0 = all
    int threads = 0;         // with simulate; 0 = all cores
    OutputOptions output;
};

// Prints the table; exit_ok whatever the scores.
int run_compare_codegen(const CompareCodegenOptions& options);

}  // namespace gpumodel::cli
