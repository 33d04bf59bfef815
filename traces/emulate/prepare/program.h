// A SASS function made ready to run for one launch: code blocks of micro-operations, of which only those are
// kept that branches, addresses and guards depend on (slice.h).
#pragma once

#include <string>
#include <vector>

#include "traces/emulate/prepare/constant_bank.h"
#include "traces/emulate/run/machine.h"
#include "traces/emulate/sass_block_source.h"
#include "traces/emulate/translate/translator.h"
#include "traces/warp_events.h"

namespace gpumodel::emulate {

// Instructions [begin, end); control enters at the first and leaves behind the last.
struct CodeBlock {
    int begin = 0, end = 0;
    std::size_t op_begin = 0, op_end = 0;  // in Program::ops
    Terminator last;
    int target = -1;              // block of last.target_address
    std::vector<int> successors;  // all that can follow; empty also for blocks that are never reached
    bool reachable = false;
    bool in_loop = false;           // its end closes or leaves a loop
    bool passes_rare_case = false;  // its jump leads around a call of the compiler's arithmetic (taint.h)
};

// The array of a pointer or a texture argument; index -1 for other arguments.
struct AllocatedArray {
    int index = -1;
    std::int64_t bytes = 0;  // 0 = not given
    std::string name;
    std::shared_ptr<const Texture> texture;  // nullptr for pointers
    std::shared_ptr<const TensorMap> tensor_map;
    std::int64_t address = 0;      // of the allocation
    std::int64_t map_address = 0;  // generic, of the tensor map
};

struct Program {
    explicit Program(ConstantBank known) : bank(std::move(known)) {}

    StaticCode code;
    std::vector<CodeBlock> blocks;
    std::vector<MicroOp> ops;
    std::vector<std::string> problems;  // per instruction: why it cannot be computed
    std::vector<std::uint32_t> constants;
    std::vector<Access> accesses;
    std::vector<AllocatedArray> array_of_allocation;  // by argument
    std::vector<int> block_of_instruction;            // that begin a block; -1 = none
    ConstantBank bank;
    SassConstantBanks module_constants;
    // Of __constant__ memory of which nobody says what it holds (SassConstants::open).
    std::vector<std::uint16_t> open_slots;
    bool reads_variables = false;      // outside of indexed loads, which note it themselves
    std::int64_t shared_reserved = 0;  // bytes in front of the block's own shared memory
    bool in_clusters = false;          // shared addresses have the block's rank in them (addresses.h)
    bool has_stack = false;            // Kepler to Pascal: of open meetings
    bool steered_by_data = false;      // that was given
    // A value of device memory, or of __constant__ memory that nobody gave, steers a warp, or is asked for.
    bool reads_global = false;
    bool swaps = false;              // by comparing and swapping what is read so
    bool counts = false;             // by atomics of memory that return what they counted (is_counter())
    std::vector<std::string> texts;  // per instruction, as the listing has it
    std::size_t slot_count = 0;

    // The block that begins at an address; -1 = none.
    [[nodiscard]] int block_at_address(std::int64_t address) const;
    [[nodiscard]] std::uint64_t address_of(int instruction) const {
        return code.instructions[static_cast<std::size_t>(instruction)].address;
    }
};

// Throws InputError as make_sass_source() says.
[[nodiscard]] Program build_program(const SassFunction& function, const SassLaunch& launch);

}  // namespace gpumodel::emulate
