// CUDA compilers and disassemblers on this machine.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tools/toolkit/subprocess.h"

namespace gpumodel::cli {

struct CudaToolkit {
    std::string nvcc;                // path
    std::string version;             // "11.8"
    std::string identity;            // all that --version prints: what a cache key needs to know
    std::string disassembler;        // path of cuobjdump
    std::vector<std::string> archs;  // "sm_70" ...; empty: the compiler does not say

    [[nodiscard]] bool knows(const std::string& arch) const;
};

struct ToolkitSearch {
    std::vector<CudaToolkit> found;   // in the order of the search
    std::string disassembler;         // cuobjdump without a compiler; "" = none
    std::string compiler;             // the first nvcc, without a cuobjdump too; "" = none
    std::vector<std::string> looked;  // where for what
};

// With `folder` (--cuda) there alone: DIR/bin and DIR. Else in $CUDA_HOME/bin, $CUDA_PATH/bin, on PATH, in
// /usr/local/cuda/bin and /usr/bin. A compiler without a cuobjdump beside it takes the first one found; one
// for which there is none is left out. Remembered: each folder is searched once.
[[nodiscard]] const ToolkitSearch& find_toolkits(const std::string& folder);

// The first one that knows the architecture.
[[nodiscard]] const CudaToolkit* toolkit_for(const ToolkitSearch& search, const std::string& arch);

// "looked for nvcc in ...": for messages.
[[nodiscard]] std::string search_words(const ToolkitSearch& search);

}  // namespace gpumodel::cli
