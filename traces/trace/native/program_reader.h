// The documents of a native trace file (FORMAT.md) -> the program.
#pragma once

#include <iosfwd>
#include <string>

#include "traces/trace/trace_file.h"

namespace gpumodel {

// Throws InputError (invalid input) that names the document and the field.
[[nodiscard]] TraceFile read_program(std::streambuf& documents, const std::string& name);

}  // namespace gpumodel
