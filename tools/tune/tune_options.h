// What tune was asked for, checked: every fault of the command line at once.
#pragma once

#include <string>
#include <vector>

#include "tools/launch/code_options.h"
#include "tools/tune/search.h"
#include "validate/accuracy/measurements.h"

namespace gpumodel::cli::tuning {

enum class TuneFormat : unsigned char { text, json, csv, header, markdown };

// As typed.
struct TuneOptions {
    ArchOptions arch;
    CodeOptions code;
    std::vector<std::string> kernels;
    std::string sizes, m, n, k;
    std::vector<std::string> params;
    std::string refine, top, model, format, out;
    bool cold = false;
    int threads = 0;
    std::string measurements, split, write_spread;
};
void add_tune_options(Command& command, TuneOptions& options);

struct TuneRequest {
    ArchSpec arch;
    std::vector<Grid> grids;           // one per kernel, without shapes
    std::vector<ProblemShape> shapes;  // empty with measurements: all that were measured
    SearchSettings settings;
    TuneFormat format = TuneFormat::text;
    std::optional<Split> split;  // empty: both halves
};
// Throws InputError (usage) with everything that is wrong.
[[nodiscard]] TuneRequest checked_request(const TuneOptions& options);

}  // namespace gpumodel::cli::tuning
