// Registers per thread: an estimate per code shape and ISA generation, calibrated against ptxas
// (tests/traces/kernel/ptxas_registers.csv), and the reader of `ptxas -v` / `cuobjdump -res-usage` logs.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "traces/kernel/compiler/code_shape.h"
#include "traces/kernel/family.h"

namespace gpumodel {

// What the estimate depends on. register_demand() fills it in for the built-in families.
struct RegisterDemand {
    CodeShape shape = CodeShape::direct;
    int accumulators = 0;    // results per thread, all sub-tiles
    int row_words = 0;       // words of A that a thread multiplies per k step (R)
    int fragment_words = 0;  // words of A and B that a thread multiplies per k step (R + S)
    int staged_words = 0;    // global words that a thread loads per tile
    int threads = 0;         // per block
    int k_steps = 0;         // BK: trips of the k loop of a tile
    int unrolled_steps = 0;  // k steps per loop body as pinned by a pragma; 0 = left to the compiler
    int sub_tiles = 1;       // trips of all sub-tile loops outside the k loop
    bool even_tiles = true;  // as many loads of A as of B per tile
};

// The demand of a built-in family; `params` holds all of the family's parameters, UNROLL too (absent ones
// count as 0). Throws std::invalid_argument for an unknown family.
[[nodiscard]] RegisterDemand register_demand(std::string_view family, const ParamValues& params);

// Estimated registers per thread on a generation, at most the target's maximum; nearest generation with data
// (sm_35, 70, 75, 80, 86, 90) for the others. What is imitated: ptxas of CUDA 11.8 (13.0 for sm_90) for the
// kernels of validate/kernels. A linear formula per shape and generation (registers_features.h,
// registers.csv) gives what the code would like to have; ptxas prefers the counts with which one more
// warp fits a sub-partition, 512 / warps rounded down to 8 (168, 128, 96, 80, 72, 64, ...), so a wish a
// little above or below such a count becomes that count (docs/compiled_code.md: found on sm_90).
// `library` is no compiled code of ours and has no data: accumulators, two sets of fragments, staged words
// and 18 for addresses and counters, all estimated (122 for a 128x128 tile of 256 threads). Ignored: spills
// (a thread that needs more than 255 gets 255), __launch_bounds__ other than scalar_rows'.
[[nodiscard]] int estimate_registers(const RegisterDemand& demand, const Target& target);

// The count that ptxas gave our own kernel (validate/kernels) where exactly this was compiled and is kept:
// the defaults of every family but cublas_sgemm and two thirds of the other tiles of
// tests/traces/kernel/ptxas_registers.csv (the others judge the estimate), on sm_35, 70, 75, 80, 86 and 90.
// All parameters must be given. Better than the estimate, which need not reproduce it. Nothing otherwise.
[[nodiscard]] std::optional<int> compiled_registers(std::string_view family, const ParamValues& params,
                                                    const Target& target);

// One entry of a resource log.
struct ResourceEntry {
    std::string entry;                   // mangled or plain entry name, as in the log
    std::string target;                  // "sm_70", "" if the log does not say
    int registers = 0;                   // per thread
    std::int64_t shared_bytes = 0;       // static, with what old toolkits add for the system ("6144+16")
    std::int64_t spill_store_bytes = 0;  // per thread; 0 if the log does not say (cuobjdump)
    std::int64_t spill_load_bytes = 0;
    int barriers = 0;  // 0 if the log does not say (before CUDA 12)
    int line = 0;      // of the log, where the registers stand
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
