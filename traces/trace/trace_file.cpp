#include "traces/trace/trace_file.h"

#include <filesystem>
#include <fstream>
#include <sstream>

#include "base/diagnostics.h"
#include "base/files/byte_stream.h"

namespace gpumodel {

void write_trace_file(const std::string& path, const TraceFile& trace) {
    std::ostringstream bytes;
    write_trace(bytes, trace, path);
    FileSink file(path);
    file.write(bytes.view());
    file.finish();
}

TraceFile read_trace_file(const std::string& path) {
    std::error_code error;
    std::ifstream in(path, std::ios::binary);
    if (!in || std::filesystem::is_directory(path, error)) {
        throw InputError(InputErrorKind::usage, {{path, 0, 0, "", "cannot read this file"}});
    }
    return read_trace(in, path);
}

}  // namespace gpumodel
