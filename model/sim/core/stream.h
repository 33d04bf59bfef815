// What one warp executes, decoded once: a flat array of operations with the loops as jumps.
//
// Warps that take part in the same segments share a stream. A block-wide barrier that a warp's own code does
// not contain (its segments end elsewhere) is added, so that every warp of the block arrives.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "model/sim/core/machine.h"
#include "model/sim/events/events.h"
#include "traces/kernel_program.h"

namespace gpumodel::sim {

enum class OpKind : unsigned char {
    arithmetic,  // fixed latency
    shuffle,     // one wavefront of the data pipe
    shared_load,
    shared_store,
    global_load,
    global_store,
    async_copy,
    async_wait,  // DEPBAR, or a wait on a barrier in shared memory that copies arrive at (SYNCS.PHASECHK)
    barrier,     // block-wide
    branch,
    group_product,  // HGMMA: its warp goes on at once
    group_wait,     // WARPGROUP.DEPBAR
};
[[nodiscard]] constexpr bool uses_data_pipe(OpKind kind) {
    return kind >= OpKind::shuffle && kind <= OpKind::async_copy;
}
// On global or local memory.
[[nodiscard]] constexpr bool is_global(OpKind kind) {
    return kind == OpKind::global_load || kind == OpKind::global_store || kind == OpKind::async_copy;
}
// Its registers come back through the data pipe.
[[nodiscard]] constexpr bool loads_registers(OpKind kind) {
    return kind == OpKind::shuffle || kind == OpKind::shared_load || kind == OpKind::global_load;
}
// Somebody may wait for it to come back.
[[nodiscard]] constexpr bool has_result(OpKind kind) {
    return loads_registers(kind) || kind == OpKind::async_copy;
}

struct PortRead {
    std::uint8_t bank = 0;
    std::uint8_t slot = 0;  // 0 ... 2, 3 = outside the reuse entries
    std::uint8_t reg = 0;
    bool reuse = false;
};

struct DecodedOp {
    OpKind kind = OpKind::arithmetic;
    OpClass op = OpClass::mov;
    std::uint8_t pipe = 0;
    std::uint16_t slow_interval = 0;  // in pipe_ticks
    std::uint8_t issue_delay = 1;     // cycles until the warp may issue again
    bool pairs = false;               // Kepler: goes together with the next
    bool tracks_results = true;
    bool tracks_sources = false;
    bool closes_loop = false;
    bool jumps = false;         // the op behind it lies elsewhere: a branch was taken
    std::uint8_t resolves = 0;  // cycles beyond its delay, or its branch, until the warp goes on
    bool starts_batch = false;  // first asynchronous copy of its segment
    bool bulk = false;          // goes to the copy engine
    bool no_data = false;       // an atomic on global memory that brings no old value back
    bool continues = false;     // a further piece of the bulk copy before it
    bool guarded = false;       // by a predicate that may hold; @!PT is none
    CopyUnit copies = CopyUnit::none;
    bool waits_for_copies = false;  // of all batches but one that started after the wait before
    bool ends_batch = false;        // LDGDEPBAR
    std::int8_t batches_left =
        -1;  // waits until no more ended batches than these are under way; -1 = no wait
    GroupProduct group;
    std::int32_t copies_first = 0, copies_step = 0;  // Instruction
    std::int32_t arrivals_from = 0, arrivals_first = 0, arrivals_step = 0;
    std::int32_t others_first = 0;
    std::uint32_t arrivals_warps = 0, others_warps = 0;
    bool arrives = false;
    std::uint32_t address = 0;
    std::uint8_t constant_addresses = 0;  // addresses that an LDC's lanes name
    std::int32_t product_ticks = 0;       // that the tensor pipe works on it
    std::uint8_t words = 1;               // width of an access
    TextureUnit texture = TextureUnit::none;
    TextureFilter filter{};
    std::uint8_t bytes = 4;  // of a lane, of texture instructions
    std::uint8_t source_count = 0;
    std::uint8_t result_count = 0;
    std::uint8_t read_count = 0;
    std::uint8_t holds_ports = 0;  // cycles of all banks, both passes of a 64-bit product; 0: its reads alone
    std::int32_t latency = 0;
    std::int32_t loop = -1;                   // innermost loop that ends here
    std::int32_t access = -1;                 // index into accesses
    std::int32_t code = -1;                   // index into DecodedProgram::code
    std::array<std::uint16_t, 18> sources{};  // scoreboard numbers
    std::array<std::uint16_t, 8> results{};
    std::array<PortRead, 9> reads{};
    std::array<std::uint8_t, 4> result_banks{};  // result registers by bank

    // Waits for a known number of the block's copies or of its warps' arrivals.
    [[nodiscard]] bool counts() const { return copies_first > 0 || arrivals_warps != 0; }
};

struct StreamLoop {
    std::int32_t first_op = 0, last_op = 0;
    std::int32_t outer = -1;  // loop that ends at the same op
    std::int32_t depth = 0;   // index into the counters
    std::int32_t node = 0;    // top-level node it lies in
    std::int64_t trips = 0;
    bool jumps = true;  // from its last op to its first by a branch that is taken
};

struct StreamAccess {
    const Segment* segment = nullptr;
    const AccessSite* site = nullptr;
    const AccessSite* shared_site = nullptr;  // of an asynchronous copy
    int word = 0;
};

struct WarpStream {
    std::vector<DecodedOp> ops;
    std::vector<StreamLoop> loops;
    std::vector<StreamAccess> accesses;
    int scoreboard_size = 0;
    std::int32_t last_given = -1;  // the last op that others may wait for: a bulk copy, an arrival
    bool counts_copies = false;    // some wait is for a known number of them, or of arrivals
};

// Trips made of the loops around a warp's instruction, by depth.
using LoopCounters = std::array<std::int64_t, max_loop_depth>;

// One body: of all blocks, or of one variant.
struct BodyStreams {
    std::vector<WarpStream> streams;
    std::vector<int> stream_of_warp;
};

struct DecodedProgram {
    std::vector<BodyStreams> bodies;  // one, or one per variant
    std::vector<CodePlace> code;
};

// Throws InputError (invalid input) with every fault: segments without instructions, opcode classes that the
// GPU does not have, loops nested too deeply.
[[nodiscard]] DecodedProgram decode(const KernelProgram& program, const ArchSpec& arch,
                                    const Machine& machine);

}  // namespace gpumodel::sim
