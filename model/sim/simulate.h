// The cycle-level simulator: KernelProgram + ArchSpec -> cycles, counters and why warps waited.
//
// One SM runs cycle by cycle, the one with the most blocks; what lies behind its L1 is its even part of L2
// and DRAM (memory/memory_servers.h). Cycles in which nothing can issue are skipped. The parts (sm_run.h puts
// them together), each with its contract:
// - core/issue_core.h: who issues when. With control words, fixed-latency results are left to the stall
//   counts and variable-latency ones are tracked by register, which predicts as well as the six barriers do
//   (H200 microbenchmarks).
// - memory/memory_path.h: memory queue, data pipe, L1 and what lies behind it.
// - blocks/block_dealer.h: blocks, spread over SMs first (waves.h), one more whenever a slot frees.
// - extrapolate/: iterations and rounds of blocks that need not run once they are steady; `exact` runs
//   everything. The result says what was extrapolated, and how far off that may be.
// - l2/launch_replay.h: L2 and DRAM traffic, and which loads wait for DRAM.
//
// Input: programs at instruction level (Segment::code). Throws InputError (invalid input) for segments
// without code and for opcode classes that the GPU does not have.
//
// Ignored: the order of SMs at L2; what the parts ignore.
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

class SharedRuns;
class SimProgress;

struct SimOptions {
    L2State l2 = L2State::warm;
    bool exact = false;               // no extrapolation over iterations and rounds
    std::int64_t max_cycles = 0;      // stop with status no_progress beyond; 0 = no limit
    SimListener* listener = nullptr;  // hears the (first) run
    Relax relax;                      // what-if: limiters lifted
    SimProgress* progress = nullptr;  // is told how far each run is (sim_progress.h)
    SharedRuns* shared = nullptr;     // of launches with the same options on the same spec (shared_runs.h)
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
    double product_cycles = 0;  // of tensor pipes, with products of warp groups
    double shared_wavefronts = 0;
    double shared_conflicts = 0;
    double data_pipe_cycles = 0;
    double l1_load_sectors = 0;
    double l1_load_sector_hits = 0;
    double l2_read_bytes = 0;
    double l2_write_bytes = 0;
    double write_back_cycles = 0;  // that the SM's share of DRAM is or will be busy for with what is stored
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
