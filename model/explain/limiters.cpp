#include "model/explain/limiters.h"

#include "model/analytic/describe_launch.h"
#include "model/memory/program_walk.h"
#include "model/sim/core/instruction_cache.h"
#include "model/sim/core/operand_ports.h"

namespace gpumodel {
namespace {

std::string no_ports(const ArchSpec& arch) {
    return sim::OperandPorts(arch.sm.register_file).limits()
               ? ""
               : "register ports are unpublished for this generation";
}
std::string no_queue(const ArchSpec& arch) {
    return arch.sm.memory_queue_depth ? "" : "the depth of the memory queue is unknown";
}
std::string no_l2(const ArchSpec& arch) {
    return arch.l2.size_bytes > 0 ? "" : "this GPU has no L2 cache";
}
std::string no_fetch(const ArchSpec& arch) {
    return sim::knows_fetch_costs(arch) ? "" : "fetch costs are unknown for this generation";
}
std::string no_drift(const ArchSpec& arch) {
    return arch.launch.sm_drift > 0 ? "" : "not measured: SMs are taken to be alike";
}
std::string no_shared_latency(const ArchSpec& arch) {
    return arch.sm.shared_memory.latency_32_cycles > 0 ? "" : "shared-memory latency is unknown";
}

bool no_shared_accesses(const ProgramTraits& traits) {
    return !traits.shared_accesses;
}
bool no_barriers(const ProgramTraits& traits) {
    return !traits.barriers;
}
bool full_occupancy(const ProgramTraits& traits) {
    return !traits.room_for_a_block;
}

}  // namespace

ProgramTraits traits_of(const KernelProgram& program, const ArchSpec& arch) {
    ProgramTraits traits;
    const auto occupancy = launch_occupancy(program, arch);
    traits.room_for_a_block = (occupancy.blocks_per_sm + 1) * occupancy.warps_per_block <= arch.sm.max_warps;
    for (const auto& flat : flatten(program).intervals) {
        traits.barriers = traits.barriers || flat.interval->barrier_after;
        for (const auto& segment : flat.interval->segments) {
            for (const auto& site : segment.sites) {
                traits.shared_accesses = traits.shared_accesses || site.space == MemorySpace::shared;
            }
        }
    }
    return traits;
}

const std::vector<Limiter>& limiters() {
    static const std::vector<Limiter> list{
        {"bank conflicts", "shared accesses take the wavefronts of a conflict-free access of their width",
         [](Relax& r) { r.shared_conflicts = true; }, nullptr, no_shared_accesses},
        {"uncoalesced accesses", "global accesses touch only as many sectors as their bytes fill",
         [](Relax& r) { r.uncoalesced = true; }, nullptr, nullptr},
        {"shared-memory and L1 bandwidth", "wavefronts take no time in the SM's data pipe",
         [](Relax& r) { r.data_pipe = true; }, nullptr, nullptr, "shared memory"},
        {"shared-memory latency", "shared loads return with their last wavefront",
         [](Relax& r) { r.shared_latency = true; }, no_shared_latency, no_shared_accesses},
        {"memory queue", "any number of memory instructions may wait",
         [](Relax& r) { r.memory_queue = true; }, no_queue, nullptr},
        {"register ports", "register banks deliver all operands at once",
         [](Relax& r) { r.register_ports = true; }, no_ports, nullptr, "register ports"},
        {"math pipes", "every pipe takes an instruction per cycle and scheduler",
         [](Relax& r) { r.math_pipes = true; }, nullptr, nullptr},
        {"issue slots", "all ready warps issue in the same cycle", [](Relax& r) { r.issue_slots = true; },
         nullptr, nullptr},
        {"issue slots and math pipes", "both: arithmetic at any rate",
         [](Relax& r) { r.issue_slots = r.math_pipes = true; }, nullptr, nullptr, "issue slots"},
        {"arithmetic latency", "arithmetic results are ready in the next cycle, no stall counts",
         [](Relax& r) { r.arithmetic_latency = true; }, nullptr, nullptr},
        {"all latencies", "results, loads and branches take no longer than their bandwidth asks for",
         [](Relax& r) {
             r.arithmetic_latency = r.branch_latency = r.shared_latency = r.memory_latency = true;
         },
         nullptr, nullptr, "latency"},
        {"taken branches", "a taken branch costs its issue slot only",
         [](Relax& r) { r.branch_latency = true; }, nullptr, nullptr},
        {"instruction fetch", "instruction caches hold any code",
         [](Relax& r) { r.instruction_fetch = true; }, no_fetch, nullptr},
        {"barriers", "block-wide barriers do not wait", [](Relax& r) { r.barriers = true; }, nullptr,
         no_barriers, "barriers"},
        {"memory latency", "loads from L2 and DRAM return as fast as L1 hits",
         [](Relax& r) { r.memory_latency = true; }, nullptr, nullptr},
        {"L2 bandwidth", "L2 and its ports move any number of bytes per cycle",
         [](Relax& r) { r.l2_bandwidth = true; }, no_l2, nullptr, "L2 cache"},
        {"DRAM bandwidth", "DRAM moves any number of bytes per second, at its latency",
         [](Relax& r) { r.dram_bandwidth = true; }, nullptr, nullptr, "DRAM"},
        {"DRAM accesses", "everything is in L2 already", [](Relax& r) { r.dram = true; }, no_l2, nullptr},
        {"occupancy", "one more block is resident per SM", [](Relax& r) { r.extra_blocks = 1; }, nullptr,
         full_occupancy},
        {"uneven SMs", "equal blocks take equally long on every SM", [](Relax& r) { r.uneven_sms = true; },
         no_drift, nullptr},
        {"block launch", "blocks start at once: no dispatch rate, no turnover",
         [](Relax& r) { r.block_launch = true; }, nullptr, nullptr, "block dispatch"},
    };
    return list;
}

}  // namespace gpumodel
