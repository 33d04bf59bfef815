// What a block executes, counted: from emulated SASS, and from a KernelProgram. Warp instructions, as
// profilers count them: also those whose guard is false in all lanes.
#pragma once

#include <compare>
#include <map>
#include <vector>

#include "traces/emulate/sass_block_source.h"
#include "traces/kernel/compiler/instruction_mix.h"
#include "traces/sass/sass_module.h"

namespace gpumodel {

// One kind of memory instruction: LDS.128 is {shared, load, 16}.
struct AccessKey {
    MemorySpace space = MemorySpace::global;
    AccessKind kind = AccessKind::load;
    int bytes = 0;  // per lane
    friend auto operator<=>(const AccessKey&, const AccessKey&) = default;
};

struct ExecutedCounts {
    double instructions = 0;
    OpCounts ops{};                        // by class; barriers are BAR only
    std::map<AccessKey, double> accesses;  // LDS, STS, LDG, STG, LDL, STL, LDGSTS
};

struct EmulatedBlock {
    ExecutedCounts counts;
    std::vector<double> per_instruction;  // by index into the function, all warps
    std::vector<OpClass> classes;         // likewise, as the families count them; branch where never executed
};

// Runs one block. Throws InputError as the emulator does. Not counted as accesses: instructions that can
// never execute (guard !PT, sm_8x puts such LDS in front of asynchronous copies), and what operates on a
// barrier in shared memory (ATOMS, SYNCS, ARRIVES, and any access from byte `tile_bytes` on, behind the
// tiles), as the families count those apart.
[[nodiscard]] EmulatedBlock count_block(const SassFunction& function, const SassLaunch& launch,
                                        const Dim3& block, std::int64_t tile_bytes);

// What one block of `body` executes; Segment.shared_barrier_operations are instructions without a class.
[[nodiscard]] ExecutedCounts count_block(const KernelProgram& program);

}  // namespace gpumodel
