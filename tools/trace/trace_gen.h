// gpumodel trace gen: a trace of a kernel family or of a launch of real SASS.
#pragma once

#include <string>

#include "tools/launch/program_options.h"
#include "traces/trace/trace_file.h"

namespace gpumodel::cli {

struct TraceGenOptions {
    ArchOptions arch;
    ProgramOptions program;  // a family or a listing
    std::string out;
};

// Throws InputError: usage for options, invalid input for a launch that is not feasible and as
// program_from_sass does.
[[nodiscard]] TraceFile generate_trace(const TraceGenOptions& options);

}  // namespace gpumodel::cli
