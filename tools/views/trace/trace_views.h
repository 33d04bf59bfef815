// What `gpumodel trace` prints.
#pragma once

#include <cstdint>
#include <string>

#include "tools/cli/command.h"
#include "traces/trace/trace_file.h"

namespace gpumodel::cli {

// Launch, dynamic counts by class, sites. csv: one row per class.
[[nodiscard]] std::string trace_info(const TraceFile& trace, const std::string& file, Format format);

struct DumpRange {
    Dim3 block{0, 0, 0};
    int warp = 0;
    std::int64_t limit = 100;  // instructions
};

// The instructions of one warp in execution order, with lanes and addresses. No csv.
[[nodiscard]] std::string trace_dump(const TraceFile& trace, const std::string& file, const DumpRange& range,
                                     Format format);

}  // namespace gpumodel::cli
