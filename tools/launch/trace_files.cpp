#include "tools/launch/trace_files.h"

#include <fmt/format.h>

#include <filesystem>

#include "base/diagnostics.h"
#include "tools/cli/manners.h"
#include "tools/cli/notes.h"
#include "traces/trace/accelsim/accelsim_reader.h"
#include "traces/trace/accelsim/accelsim_writer.h"

namespace gpumodel::cli {

namespace {

std::string written_line(const std::string& path) {
    std::error_code error;
    const auto bytes = std::filesystem::file_size(path, error);
    return fmt::format("{}: {} bytes\n", path, error ? 0 : bytes);
}

}  // namespace

void add_trace_input(Command& command, TraceInputOptions& options) {
    command.add_option("file", options.file, "trace: .gpt, or Accel-Sim's kernelslist.g, .traceg, .traceg.xz")
        .required();
    command.add_option("--kernel-number", options.kernel_number, "which kernel of a kernelslist.g, from 1");
    command.add_flag("--allow-unknown", options.allow_unknown,
                     "take opcodes of an Accel-Sim trace that are not known for moves instead of refusing");
}

TraceFormat format_of(const std::string& path) {
    if (path.ends_with(".gpt")) {
        return TraceFormat::native;
    }
    if (path.ends_with(".g") || path.ends_with(".traceg") || path.ends_with(".traceg.xz")) {
        return TraceFormat::accelsim;
    }
    throw InputError(
        InputErrorKind::usage,
        {{path, 0, 0, "", "the ending says no trace format, allowed .gpt, .g, .traceg, .traceg.xz"}});
}

TraceFile load_trace(const TraceInputOptions& options) {
    if (format_of(options.file) == TraceFormat::accelsim) {
        return program_from_accelsim(options.file, options.kernel_number, {options.allow_unknown});
    }
    if (options.kernel_number || options.allow_unknown) {
        throw InputError(InputErrorKind::usage,
                         {{options.file, 0, 0, options.kernel_number ? "--kernel-number" : "--allow-unknown",
                           "is for Accel-Sim traces only"}});
    }
    return read_trace_file(options.file);
}

std::string save_trace(const TraceFile& trace, const std::string& path) {
    if (format_of(path) == TraceFormat::native) {
        write_trace_file(path, trace);
        return written_line(path);
    }
    const auto written = write_accelsim(trace, path);
    for (const auto& what : written.notes) {
        const auto read = read_note(what);
        note(read.id, path + ": " + read.text);
    }
    std::string text;
    for (const auto& file : written.files) {
        text += written_line(file);
    }
    return text + fmt::format("{} warp instructions\n", written.warp_instructions);
}

}  // namespace gpumodel::cli
