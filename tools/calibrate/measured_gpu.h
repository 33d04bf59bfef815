// The GPU that gpumodel-measure ran on: measuring it, and its data sheet as the measurements' first lines
// say.
#pragma once

#include <string>

#include "tools/arch/new_arch.h"
#include "validate/calibrate/microbenchmark.h"

namespace gpumodel::cli {

struct MeasuredFiles {
    std::string microbenchmarks, times;
};

// Runs gpumodel-measure twice: microbenchmarks, then four configurations of each kernel family at 512, 1024
// and 2048. The files lie beside `out`, mine.yaml: mine_microbench.csv, mine_times.csv; rows that they hold
// already are not measured again. Throws InputError (invalid input) with what the program said if it fails.
[[nodiscard]] MeasuredFiles measure_gpu(const std::string& program, const std::string& out);

// What `gpumodel arch detect` would write, from the file's metadata. `from` = "": the product of that name or
// the generation. Throws InputError (invalid input) where the metadata do not say which GPU it is.
[[nodiscard]] NewArch sheet_of_measured(const MicrobenchmarkFile& file, const std::string& from,
                                        const std::string& out);

}  // namespace gpumodel::cli
