// CUDA source -> cubin -> listing and resources, by the programs of a toolkit.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "tools/toolkit/cuda_toolkit.h"
#include "traces/kernel/resource_log/resource_log.h"

namespace gpumodel::cli {

struct Disassembled {
    std::string listing;                   // cuobjdump -sass (-elf: with constants)
    std::vector<ResourceEntry> resources;  // cuobjdump -res-usage; empty if the file does not say
    std::string
        source_lines;  // nvdisasm -g -c, where one stands beside and the code has lines (-lineinfo); else ""
};

// `file` compiled for `arch` to `cubin`; the resources that ptxas reports. A host compiler that this nvcc
// refuses is replaced by an older g++ where one is found. Throws InputError (invalid input) with what the
// compiler printed.
[[nodiscard]] std::vector<ResourceEntry> compile_cuda(const CudaToolkit& toolkit, const std::string& file,
                                                      const std::string& arch,
                                                      const std::vector<std::string>& flags,
                                                      const std::string& cubin);

// Of a cubin, fatbin or program. A cubin of CUDA 13 under an older cuobjdump gets the header that this one
// knows (its code is the same; without resources, which that cuobjdump then fails to read); `arch` then says
// for what. Throws InputError (invalid input).
[[nodiscard]] Disassembled disassemble(const std::string& disassembler, const std::string& file,
                                       const std::string& arch, bool with_constants);

}  // namespace gpumodel::cli
