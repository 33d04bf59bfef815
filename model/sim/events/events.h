// What the simulator tells a listener while one SM runs (SimOptions::listener). Without a listener nothing is
// made up and the cycle loop only tests a pointer.
//
// Contract
// - Times are cycles of the simulated SM, 0 = the launch's first block may start. What extrapolation leaves
//   out (extrapolate/) is cut out: iterations and blocks before and after follow each other. `exact` is the
//   whole launch.
// - Order: by warp, spans and issues come in order of time and the spans tile its life without gaps or
//   overlaps: from block_started's cycle to the cycle after its last issue. Between warps there is no order:
//   a span may reach into the future (a stall count), so a listener must not take the latest time for "now".
// - The two halves of a dual-issued pair are two issues in one cycle; the pair has one `selected` span.
// - Warps are named by the slot of their block on the SM (0 ... resident - 1) and their number in the block.
//   A slot runs one block at a time.
// - Calls come from the thread that runs simulate(). References are valid during the call; Segment pointers
//   as long as the program.
#pragma once

#include <cstdint>

#include "arch_specs/op_class.h"
#include "model/sim/stall_reason.h"
#include "traces/kernel_program.h"

namespace gpumodel {

struct WarpName {
    std::int64_t block = 0;  // linear block index
    int slot = 0;
    int warp = 0;  // of the block
    int scheduler = 0;
};

// Where an instruction stands; index -1 = a barrier that the code does not show.
struct CodePlace {
    const Segment* segment = nullptr;
    int index = -1;
};

struct WarpIssue {
    std::int64_t cycle = 0;
    WarpName warp;
    CodePlace code;
    OpClass op = OpClass::mov;
};

// Cycles [from, until) that the warp spent for one reason on the way to the instruction at `code`, or
// issuing it (`selected`, one cycle).
struct WarpSpan {
    std::int64_t from = 0, until = 0;
    WarpName warp;
    CodePlace code;
    OpClass op = OpClass::mov;
    StallReason reason = StallReason::selected;
};

// One wavefront in the data pipe; they follow each other without overlap. Lines that come in from L2 take the
// pipe as well and are not told.
struct DataPipeWavefront {
    double start = 0, cycles = 0;
    WarpName warp;
    CodePlace code;
    OpClass op = OpClass::mov;
};

// A memory instruction that left the data pipe.
struct MemoryRequest {
    double available = 0;    // it could have entered the data pipe
    double last_start = 0;   // start of its last wavefront
    std::int64_t ready = 0;  // its result can be used; 0 for stores
    int wavefronts = 1;
    WarpName warp;
    CodePlace code;
    OpClass op = OpClass::mov;
};

class SimListener {
public:
    SimListener() = default;
    SimListener(const SimListener&) = delete;
    SimListener& operator=(const SimListener&) = delete;
    virtual ~SimListener() = default;

    virtual void block_started(std::int64_t /*cycle*/, int /*slot*/, std::int64_t /*block*/, int /*warps*/) {}
    // `cycle` is the first one in which none of its warps is resident.
    virtual void block_ended(std::int64_t /*cycle*/, int /*slot*/, std::int64_t /*block*/) {}
    // Every live warp of the block has arrived; they go on `barrier latency` cycles later.
    virtual void barrier_released(std::int64_t /*cycle*/, int /*slot*/, std::int64_t /*block*/) {}
    virtual void issued(const WarpIssue& /*issue*/) {}
    virtual void spent(const WarpSpan& /*span*/) {}
    virtual void wavefront(const DataPipeWavefront& /*wavefront*/) {}
    virtual void memory_request(const MemoryRequest& /*request*/) {}
};

}  // namespace gpumodel
