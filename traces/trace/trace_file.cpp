#include "traces/trace/trace_file.h"

#include <filesystem>
#include <fstream>
#include <system_error>

#include "base/diagnostics.h"

namespace gpumodel {

namespace {

[[noreturn]] void usage(const std::string& path, const std::string& what) {
    throw InputError(InputErrorKind::usage, {{path, 0, 0, "", what}});
}

}  // namespace

void write_trace_file(const std::string& path, const TraceFile& trace) {
    const std::string part = path + ".part";
    std::error_code ignored;
    try {
        std::ofstream out(part, std::ios::binary | std::ios::trunc);
        if (!out) {
            usage(path, "cannot write this file");
        }
        write_trace(out, trace, path);
        out.close();
        if (!out) {
            usage(path, "cannot write this file");
        }
    } catch (...) {
        std::filesystem::remove(part, ignored);
        throw;
    }
    std::error_code error;
    std::filesystem::rename(part, path, error);
    if (error) {
        std::filesystem::remove(part, ignored);
        usage(path, "cannot write this file: " + error.message());
    }
}

TraceFile read_trace_file(const std::string& path) {
    std::error_code error;
    std::ifstream in(path, std::ios::binary);
    if (!in || std::filesystem::is_directory(path, error)) {
        usage(path, "cannot read this file");
    }
    return read_trace(in, path);
}

}  // namespace gpumodel
