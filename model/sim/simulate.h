// The cycle-level simulator: KernelProgram + ArchSpec -> cycles, counters and why warps waited.
//
// One SM runs cycle by cycle, the one with the most blocks; what lies behind its L1 is its even share of L2
// and DRAM (memory_share.h). Cycles in which nothing can issue are skipped.
// - Issue (core/): a warp's next instruction goes when its stall count has passed (control word,
//   else 1), its registers are ready (a ready time per warp and register), its pipe's unit is free
//   (machine.h), the memory queue has room (data_pipe.h) and the register ports can feed it
//   (operand_ports.h). With control words, fixed-latency results are left to the stall counts and
//   variable-latency ones are tracked by register, which predicts as well as the six barriers do (H200
//   microbenchmarks).
// - Memory: access_table.h, data_pipe.h, memory_costs.h, l1_tags.h, memory_share.h.
// - Blocks: dealt breadth first (waves.h), one more whenever a slot frees, block_turnover cycles later.
// - Fast-forward over trips of top-level loops and over rounds of blocks, once they are steady
//   (extrapolate/); `exact` runs everything. The result says what was extrapolated, and how far off that
//   may be.
//
// Input: programs at instruction level (Segment::code). Throws InputError (invalid input) for segments
// without code and for opcode classes that the GPU does not have.
// - Instruction fetch where the spec knows its costs (instruction_cache.h).
//
// L2 and DRAM traffic, and which loads wait for DRAM: l2/launch_replay.h.
// Ignored: the order of SMs at L2, the cost
// of taken forward branches, atomics beyond their latency.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "arch_specs/arch_spec.h"
#include "model/launch/occupancy.h"
#include "model/launch/waves.h"
#include "model/memory/traffic.h"
#include "model/sim/events/events.h"
#include "model/sim/relax.h"
#include "model/sim/stall_reason.h"
#include "traces/kernel_program.h"

namespace gpumodel {

struct SimOptions {
    L2State l2 = L2State::warm;
    bool exact = false;               // no extrapolation over trips and rounds
    std::int64_t max_cycles = 0;      // stop with status no_progress beyond; 0 = no limit
    SimListener* listener = nullptr;  // hears the (first) run
    Relax relax;                      // what-if: limiters lifted
};

enum class SimStatus : unsigned char {
    ok,
    infeasible,   // a block does not fit an SM
    no_progress,  // no warp can ever issue again, or max_cycles reached; `reason` shows where each warp
                  // stands
};

// Stall cycles of one instruction, all warps of the simulated SM.
struct InstructionStalls {
    const Segment* segment = nullptr;
    int instruction = -1;
    double issues = 0;
    std::array<double, stall_reason_count> cycles{};
};

// Of the simulated SM, over the whole launch (extrapolated where the run is, by instructions).
// Nothing but doubles (extrapolate/windows.h adds them up field by field).
struct SimCounters {
    double instructions = 0;
    double warp_cycles = 0;  // cycles x resident warps = sum of the stall cycles
    std::array<double, stall_reason_count> stall_cycles{};
    std::array<double, op_class_count> issued_by_class{};
    double shared_wavefronts = 0;
    double shared_conflicts = 0;
    double data_pipe_cycles = 0;
    double l1_load_sectors = 0;
    double l1_load_sector_hits = 0;
    double l2_read_bytes = 0;
    double l2_write_bytes = 0;
};

struct SimExtrapolation {
    std::int64_t trips = 0, simulated_trips = 0;    // of the longest top-level loop; mean of the warps
    std::int64_t blocks = 0, simulated_blocks = 0;  // of the simulated SM
    // Of the cycles, by how much the stretches that stand for the rest varied (twice the standard error, or
    // the drift); 0 = nothing was extrapolated.
    double error_bound_pct = 0;
    [[nodiscard]] bool any() const { return simulated_trips < trips || simulated_blocks < blocks; }
};

struct SimResult {
    SimStatus status = SimStatus::ok;
    std::string reason;       // when not ok
    double cycles = 0;        // first block's start to the last block's end on the simulated SM
    double time_seconds = 0;  // cycles / SM clock + launch overhead
    Occupancy occupancy;
    Waves waves;
    Traffic traffic;
    SimCounters counters;
    double achieved_occupancy = 0;  // mean resident warps / maximum, on the simulated SM
    double issue_active = 0;        // instructions / (cycles x schedulers)
    SimExtrapolation extrapolation;
    std::vector<InstructionStalls> instructions;  // in program order; only those that issued
    // Of what was simulated, before extrapolation: warp cycles by the warps' lives and by the stall reasons.
    // Equal, as every cycle of a resident warp has exactly one reason.
    double resident_warp_cycles = 0, accounted_warp_cycles = 0;
    std::int64_t simulated_instructions = 0;  // what the simulator worked through
    std::vector<std::string> gaps;            // what the spec does not know and the run leaves out
};

[[nodiscard]] SimResult simulate(const KernelProgram& program, const ArchSpec& arch,
                                 const SimOptions& options = {});

}  // namespace gpumodel
