// What a running warp tells: the interface between whoever executes instructions (the SASS emulator, a trace
// reader) and whoever folds the executed path back into loops (traces/fold).
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "traces/instruction.h"
#include "traces/kernel_program.h"

namespace gpumodel {

// The instructions of one kernel, in address order. Events name them by index.
struct StaticCode {
    std::vector<Instruction> instructions;
    MnemonicTable mnemonics;
};

// One executed memory instruction. Addresses are those of active lanes; the others are 0.
// Shared addresses are byte offsets in the block's shared memory, local ones offsets in the thread's local
// memory. Global ones are byte offsets from the start of allocation `array`.
struct AccessEvent {
    int instruction = 0;
    MemorySpace space = MemorySpace::global;  // generic accesses resolved
    int array = -1;                           // index into LaunchContext::arrays; -1 = not global or unknown
    std::uint32_t active = 0;                 // bit i = lane i: active and its guard true
    std::array<std::int64_t, 32> address{};
    // async_copy only: where it goes in shared memory
    std::array<std::int64_t, 32> shared_address{};
};

// Receives one block. Events of one warp come in its execution order; warps interleave as barriers allow.
class WarpSink {
public:
    virtual ~WarpSink() = default;
    // Instructions [begin, end) were issued in a row with these active lanes, guards not counted, but for a
    // barrier or an arrival at one in shared memory that no lane makes: it comes by itself, with none. A
    // memory instruction among them is followed up by access() before the next straight() of the warp, in
    // order; one whose guard is false in all lanes has an access() with active = 0.
    virtual void straight(int warp, int begin, int end, std::uint32_t active) = 0;
    virtual void access(int warp, const AccessEvent& event) = 0;
};

// Anything that can run single blocks of a launch. Blocks may be run in any order and more than once.
class BlockSource {
public:
    virtual ~BlockSource() = default;
    [[nodiscard]] virtual const StaticCode& code() const = 0;
    // Throws InputError (invalid input) for what cannot be executed.
    virtual void run_block(const Dim3& block, WarpSink& sink) = 0;
};

// The launch as far as it is known beside the code.
struct LaunchContext {
    std::string kernel;  // entry name
    Dim3 grid, block;
    BlockResources resources;
    std::vector<ArrayUse> arrays;   // allocations; `read` and `written` are filled in by the fold
    bool ldg_is_read_only = false;  // Kepler: LDG loads through the read-only path, LD through L1
};

}  // namespace gpumodel
