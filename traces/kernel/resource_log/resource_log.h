// The reader of `ptxas -v` and `cuobjdump -res-usage` logs.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace gpumodel {

// One entry of a resource log.
struct ResourceEntry {
    std::string entry;                   // mangled or plain entry name, as in the log
    std::string target;                  // "sm_70", "" if the log does not say
    int registers = 0;                   // per thread
    std::int64_t shared_bytes = 0;       // static, with what old toolkits add for the system ("6144+16")
    std::int64_t spill_store_bytes = 0;  // per thread; 0 if the log does not say (cuobjdump)
    std::int64_t spill_load_bytes = 0;
    std::int64_t stack_bytes = 0;  // local memory per thread, spills included
    int barriers = 0;              // 0 if the log does not say (before CUDA 12)
    int line = 0;                  // of the log, where the registers stand
};

// Reads what `nvcc -Xptxas -v` prints ("ptxas info    : Used 63 registers, ...", also in the old form
// "ptxas : info : ...") and what `cuobjdump -res-usage` prints (" REG:40 STACK:0 SHARED:8192 ..."), alone or
// within other text. Lines of neither kind are skipped; a line of one of these kinds that cannot be read is
// a fault. Throws InputError (invalid_input) with all faults as path:line:col, also if the file cannot be
// read or holds no entry.
[[nodiscard]] std::vector<ResourceEntry> read_resource_log(const std::string& path);

// Picks the entry for `kernel` ("warptile", or a mangled name) and `target` ("sm_70"; "" = any; entries of
// unknown target fit every target). Tried in this order: the name as in the log, the demangled function's
// own name (no namespaces, no template arguments), any name that contains `kernel`. The first rule that
// fits anything decides; entries that agree in name, registers and shared memory count as one. Throws
// InputError (invalid_input) naming the candidates when ambiguous or absent. The reference is into `entries`.
[[nodiscard]] const ResourceEntry& select_entry(const std::vector<ResourceEntry>& entries,
                                                const std::string& path, const std::string& kernel,
                                                const std::string& target);

}  // namespace gpumodel
