// Code that the user names: a listing, a compiled file (--sass) or CUDA source (--cu).
#pragma once

#include <string>
#include <vector>

#include "traces/kernel/resource_log/resource_log.h"
#include "traces/sass/sass_module.h"

namespace gpumodel::cli {

struct CodeFile {
    std::string file;        // a listing, plain or packed, or a cubin, fatbin or program
    std::string cu;          // CUDA source; excludes `file`
    std::string nvcc_flags;  // of `cu`, separated by spaces
    std::string cuda;        // folder of a toolkit; "" = looked for
};

struct ReadCode {
    SassModule module;
    std::vector<ResourceEntry> resources;  // of compiled files
    std::string made_by;                   // "k.cu by CUDA 11.8 for sm_70"; "" = a listing

    // What the compiler reserved for this function; nullptr if nobody said.
    [[nodiscard]] const ResourceEntry* resources_of(const SassFunction& function) const;
};

// `generation`: what --cu is compiled for, and which code of several a compiled file is read for. Throws
// InputError: usage for a file that cannot be read, invalid input for a listing or a compilation with faults
// (the compiler's own words) and where no compiler or disassembler is found (what was looked for where).
[[nodiscard]] ReadCode read_code(const CodeFile& code, const std::string& generation);

}  // namespace gpumodel::cli
