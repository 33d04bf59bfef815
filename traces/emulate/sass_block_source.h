// Executes one SASS function as far as addresses and branches need.
//
// What is executed: integer, predicate, uniform and floating-point arithmetic of sm_35, sm_37 and sm_70 to
// sm_90, on all lanes, but only the instructions that branches, guards or addresses depend on (slice.h).
// Shared and local memory keep their contents where these matter; device memory always reads as zero, also
// after stores, and global atomics return zero. Constants of the module are those that the listing holds
// (cuobjdump -sass -elf), __constant__ variables as initialised; needing another is an error. Calls of code
// outside the function stop the run, or are stepped over with allow_unknown. Clocks count instructions.
// Order: lanes join where the instructions say so (block_runner.h); warps run one after the other between
// barriers.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "traces/emulate/prepare/kernel_arguments.h"
#include "traces/sass/sass_module.h"
#include "traces/warp_events.h"

namespace gpumodel {

struct SassLaunch {
    Dim3 grid, block;
    std::int64_t dynamic_shared_bytes = 0;
    KernelArguments arguments;
    // More than any launch that is worth a prediction executes; beyond, a loop counts as endless.
    std::int64_t most_instructions_per_warp = 50'000'000;
    // Unknown opcodes are stepped over unless a branch, a guard or an address depends on what they write.
    bool allow_unknown = false;
};

class SassBlockSource : public BlockSource {
public:
    // What the blocks run so far had to be told about: accesses outside of allocations. Sorted, once each.
    [[nodiscard]] virtual std::vector<std::string> notes() const = 0;
    // Highest shared address accessed so far plus one: a lower bound of the block's shared memory, whose
    // static part a listing does not say.
    [[nodiscard]] virtual std::int64_t shared_bytes_used() const = 0;
};

// Throws InputError (invalid input): unknown opcodes, each with address and count, unless allowed; arguments
// that do not fit what the code reads; a block of more than 1024 threads; an unknown architecture.
// run_block() throws for what it reaches and a branch or an address depends on, but is not emulated or not in
// the listing, naming what depends on it (dependents.h), for jumps through tables, endless loops and
// deadlocks. The function must outlive the call only.
[[nodiscard]] std::unique_ptr<SassBlockSource> make_sass_source(const SassFunction& function,
                                                                const SassLaunch& launch);

// Grid, block, arrays (one per pointer argument, "arg2") and resources of the launch; registers from the code
// (highest used plus one). Static shared memory is not in a listing and left at 0.
[[nodiscard]] LaunchContext launch_context(const SassFunction& function, const SassLaunch& launch);

}  // namespace gpumodel
