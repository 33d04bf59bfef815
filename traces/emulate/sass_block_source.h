// Executes one SASS function as far as addresses and branches need.
//
// What is executed: integer, predicate, uniform and floating-point arithmetic of sm_35, sm_37 and sm_50 to
// sm_90, on all lanes, but only the instructions that branches, guards or addresses depend on (slice.h).
// Shared and local memory keep their contents where these matter. Device memory holds what --args gives and,
// where something is given and its values steer a warp, what the same block stores; each block begins with
// what was given, so that blocks may run in any order. Counters from which all blocks take numbers move on by
// what all take (data/shared_counters.h); where blocks read what others store, all are run side by side once,
// and each finds what it found then (data/read_log.h). Words that a loop around a compare-and-swap no longer
// changes begin as a launch before would have left them: times are those of launches in a row. Else it reads
// as zero, but for what atomics left whose results matter, and what of the path that decided is marked
// (run/taint.h). Constants of the module are those that the listing holds (cuobjdump -sass -elf),
// __constant__ variables as given or initialised; needing another is an error. Calls of code outside the
// function stop the run, or are stepped over with allow_unknown. Clocks count instructions. Order: lanes join
// where the instructions say so (block_runner.h); warps run one after the other between barriers.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "traces/emulate/prepare/kernel_arguments.h"
#include "traces/sass/sass_module.h"
#include "traces/warp_events.h"

namespace gpumodel {

// What a __device__ or __constant__ variable of the module holds, by its name in the code.
struct GivenVariable {
    std::string name;
    std::shared_ptr<const GivenData> data;
};

struct SassLaunch {
    Dim3 grid, block;
    std::int64_t dynamic_shared_bytes = 0;
    // What the compiler reserved, where the caller knows it; the listing's own word (-elf) is not asked then.
    std::optional<std::int64_t> static_shared_bytes = std::nullopt;
    KernelArguments arguments;
    std::vector<GivenVariable> variables;
    bool knows_constants = false;  // __constant__ variables that are not among them are as initialised
    // Blocks of a cluster; what the listing says of the kernel (-elf) takes this one's place.
    Dim3 cluster{1, 1, 1};
    // Of all SMs, where it matters who runs beside whom; 0: as many threads as an H200 has.
    std::int64_t blocks_at_once = 0;
    // More than any launch that is worth a prediction executes; beyond, a loop counts as endless.
    std::int64_t most_instructions_per_warp = 50'000'000;
    // Unknown opcodes are stepped over unless a branch, a guard or an address depends on what they write.
    bool allow_unknown = false;
    // All that is stored to device memory is computed, and each block sees what those run before it stored.
    bool keeps_results = false;
};

struct DeviceArray {
    std::string name;                 // of the argument
    std::vector<std::uint8_t> bytes;  // empty for arguments that are no allocation of a given size
    std::int64_t unknown_bytes = 0;   // that hang on memory nobody gave, or on what is not emulated: 0 here
};

class SassBlockSource : public BlockSource {
public:
    // What the blocks run so far had to be told about: accesses outside of allocations. Sorted, once each.
    [[nodiscard]] virtual std::vector<std::string> notes() const = 0;
    // What the allocation of argument `argument` holds: with keeps_results after the blocks run so far, else
    // what was given.
    [[nodiscard]] virtual DeviceArray contents(std::size_t argument) const = 0;
    // What of the paths so far hung on device memory that nobody gave, by address.
    [[nodiscard]] virtual std::vector<UnknownData> unknown_data() const = 0;
    // Values that were given decide paths or addresses.
    [[nodiscard]] virtual bool data_decides() const = 0;
    // KernelProgram's; known once a block has run.
    [[nodiscard]] virtual const SideBySideTime& side_by_side() const = 0;
    // Highest shared address accessed so far plus one: a lower bound of the block's shared memory, whose
    // static part a listing does not say.
    [[nodiscard]] virtual std::int64_t shared_bytes_used() const = 0;
};

// The blocks of a cluster: what the listing says of the kernel, else the launch's.
[[nodiscard]] Dim3 cluster_of(const SassFunction& function, const SassLaunch& launch);

// Throws InputError (invalid input): unknown opcodes, each with address and count, unless allowed; arguments
// that do not fit what the code reads; a block of more than 1024 threads; an unknown architecture.
// run_block() throws for what it reaches and a branch or an address depends on, but is not emulated or not in
// the listing, naming what depends on it (dependents.h), for jumps through tables, endless loops and
// deadlocks. The function must outlive the call only.
[[nodiscard]] std::unique_ptr<SassBlockSource> make_sass_source(const SassFunction& function,
                                                                const SassLaunch& launch);

// Runs all blocks, x first, each on what those before it left, and says what the allocations hold then, by
// argument. Throws as run_block() does. `each` is called after every block.
[[nodiscard]] std::vector<DeviceArray> execute_grid(const SassFunction& function, SassLaunch launch,
                                                    const std::function<void()>& each = {});

// Grid, block, arrays (one per allocation, named as the first argument that points to it, "arg2") and
// resources of the launch: registers and static shared memory of a listing made with -elf, else registers
// from the code (highest used plus one: the least possible) and no static shared memory.
[[nodiscard]] LaunchContext launch_context(const SassFunction& function, const SassLaunch& launch);

}  // namespace gpumodel
