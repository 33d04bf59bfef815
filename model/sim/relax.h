// What-if machines and programs: one limiter of a simulation lifted at a time, everything else as it is.
// SimOptions::relax; model/explain runs the model once for each.
//
// The machine is changed in its spec, so that every part of the simulator that reads a value sees the relaxed
// one; what the spec cannot say is changed in the decoded stream, the machine's pipes, the access costs and
// the blocks of the simulated SM. Relaxed programs are for timing only: without barriers they would compute
// something else.
#pragma once

#include <cstdint>
#include <vector>

#include "arch_specs/arch_spec.h"
#include "model/sim/core/machine.h"

namespace gpumodel {

struct Relax {
    bool shared_conflicts = false;    // shared accesses take the wavefronts of a conflict-free one
    bool uncoalesced = false;         // global accesses touch as few sectors and lines as their bytes need
    bool data_pipe = false;           // wavefronts of shared memory and L1 take no time in the data pipe
    bool memory_queue = false;        // any number of memory instructions may wait
    bool register_ports = false;      // register banks deliver all operands at once
    bool math_pipes = false;          // a pipe takes an instruction of every scheduler in every cycle
    bool issue_slots = false;         // all ready warps issue in the same cycle
    bool arithmetic_latency = false;  // arithmetic results are ready in the next cycle; no stall counts
    bool branch_latency = false;
    bool instruction_fetch = false;
    bool shared_latency = false;  // shared loads return when their last wavefront starts
    bool memory_latency = false;  // loads that miss L1 return as fast as hits, bandwidth permitting
    bool l2_bandwidth = false;    // L2 and its ports move any number of bytes per cycle
    bool dram_bandwidth = false;  // DRAM does
    bool dram = false;            // everything is in L2 already
    bool barriers = false;        // block-wide barriers do not wait
    bool block_launch = false;    // blocks start at once: no dispatch rate, no turnover
    bool launch_overhead = false;
    bool uneven_sms = false;     // equal blocks take equally long on all SMs
    int extra_blocks = 0;        // resident per SM beyond what resources allow
    std::int64_t sm_blocks = 0;  // blocks that the simulated SM runs; 0 = as dealt
    friend bool operator==(const Relax&, const Relax&) = default;
};

namespace sim {

struct DecodedProgram;
struct LineSectors;
struct MemoryCosts;

// The spec with those limits lifted that it states. Rates become very large, not infinite: sums stay finite.
[[nodiscard]] ArchSpec relaxed_spec(ArchSpec arch, const Relax& relax);
void relax_machine(const Relax& relax, Machine& machine);
void relax_program(const Relax& relax, DecodedProgram& decoded);
void relax_costs(const Relax& relax, MemoryCosts& costs);
// Lines of a global access of `bytes` different bytes if they lay side by side from a sector's start; empty
// if it touches no more sectors than that already.
[[nodiscard]] std::vector<LineSectors> ideal_lines(std::int64_t bytes, std::int32_t sectors);

}  // namespace sim
}  // namespace gpumodel
