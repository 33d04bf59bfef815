// Trace files by their endings, for the subcommands of `gpumodel trace`.
#pragma once

#include <optional>
#include <string>

#include "tools/cli/command.h"
#include "traces/trace/trace_file.h"

namespace gpumodel::cli {

enum class TraceFormat { native, accelsim };

struct TraceInputOptions {
    std::string file;
    std::optional<int> kernel_number;
    bool allow_unknown = false;
};

void add_trace_input(Command& command, TraceInputOptions& options);

// .gpt; .g, .traceg, .traceg.xz. Throws InputError (usage) for others.
[[nodiscard]] TraceFormat format_of(const std::string& path);

[[nodiscard]] TraceFile load_trace(const TraceInputOptions& options);

// Writes in the format of the ending and says so in one line per file; notes go to stderr.
[[nodiscard]] std::string save_trace(const TraceFile& trace, const std::string& path);

}  // namespace gpumodel::cli
