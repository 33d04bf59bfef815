// --dump NAME=FILE: what the kernel leaves in its allocations.
#pragma once

#include <string>
#include <vector>

#include "tools/cli/option_values.h"
#include "traces/emulate/sass_block_source.h"

namespace gpumodel::cli {

struct Dump {
    std::size_t argument = 0;
    std::string file;
};

// Faults: no NAME=FILE, no allocation of that name, one without a size.
[[nodiscard]] std::vector<Dump> dumps_of(const std::vector<std::string>& texts,
                                         const KernelArguments& arguments, OptionFaults& faults);

// Runs all blocks and writes the files, raw and little endian. Bytes that nobody gave or computed are written
// as 0, and a note of the program says how many. Throws InputError for a file that cannot be written.
void write_dumps(const std::vector<Dump>& dumps, const SassFunction& function, const SassLaunch& launch,
                 KernelProgram& program);

}  // namespace gpumodel::cli
