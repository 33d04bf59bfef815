#include "model/sim/simulate.h"

#include <algorithm>

#include "model/analytic/predict.h"
#include "model/sim/fast_forward.h"
#include "model/sim/sm_run.h"

namespace gpumodel {
namespace {

Traffic traffic_of(const KernelProgram& program, const ArchSpec& arch, const Waves& waves,
                   std::int64_t l1_bytes, L2State l2) {
    const auto flat = flatten(program);
    auto sites = analyse_sites(program, flat, arch);
    return analyse_traffic(program, sites, waves, arch, l1_bytes, l2);
}

Dim3 block_at(const Dim3& grid, std::int64_t index) {
    return {index % grid.x, index / grid.x % grid.y, index / (grid.x * grid.y)};
}

// The simulated SM's blocks: `rounds` whole rounds from the front, then the last, partial round.
void plan_blocks(const KernelProgram& program, const Waves& waves, std::int64_t rounds, const ArchSpec& arch,
                 sim::RunPlan& plan) {
    const auto all = waves.busiest_sm_blocks;
    const auto tail = all % waves.blocks_per_sm;
    const double rate = arch.launch.blocks_per_cycle;
    for (std::int64_t i = 0; i < rounds * waves.blocks_per_sm + tail; ++i) {
        const auto from =
            i < rounds * waves.blocks_per_sm ? i : all - tail + (i - rounds * waves.blocks_per_sm);
        plan.blocks.push_back(block_at(program.grid, from * waves.sm_count));
        plan.earliest_start.push_back(
            rate > 0 ? static_cast<sim::Cycle>(static_cast<double>(i * waves.sm_count) / rate) : 0);
    }
    plan.resident = waves.blocks_per_sm;
}

// result += weight * outcome, figure by figure
void add(const sim::RunOutcome& run, double cycles, double weight, double block_ratio, SimResult& result) {
    result.cycles += weight * cycles;
    weight *= block_ratio;
    const auto add_all = [weight](auto& sum, const auto& part) {
        for (std::size_t i = 0; i < sum.size(); ++i) {
            sum[i] += weight * static_cast<double>(part[i]);
        }
    };
    auto& c = result.counters;
    const auto& r = run.counters;
    c.instructions += weight * r.instructions;
    c.shared_wavefronts += weight * r.shared_wavefronts;
    c.shared_conflicts += weight * r.shared_conflicts;
    c.data_pipe_cycles += weight * r.data_pipe_cycles;
    c.l1_load_sectors += weight * r.l1_load_sectors;
    c.l1_load_sector_hits += weight * r.l1_load_sector_hits;
    c.l2_read_bytes += weight * r.l2_read_bytes;
    c.l2_write_bytes += weight * r.l2_write_bytes;
    add_all(c.issued_by_class, r.issued_by_class);
    result.instructions.resize(run.stalls.size());
    for (std::size_t i = 0; i < run.stalls.size(); ++i) {
        add_all(result.instructions[i].cycles, run.stalls[i]);
        add_all(c.stall_cycles, run.stalls[i]);
    }
    result.simulated_instructions += static_cast<std::int64_t>(r.instructions);
}

void finish(const sim::DecodedProgram& decoded, const ArchSpec& arch, SimResult& result) {
    for (std::size_t i = 0; i < result.instructions.size(); ++i) {
        auto& line = result.instructions[i];
        line.segment = decoded.code[i].segment;
        line.instruction = decoded.code[i].index;
    }
    std::erase_if(result.instructions, [](const InstructionStalls& line) {
        return std::all_of(line.cycles.begin(), line.cycles.end(), [](double c) { return c == 0; });
    });
    auto& c = result.counters;
    for (const double cycles : c.stall_cycles) {
        c.warp_cycles += cycles;
    }
    result.achieved_occupancy = c.warp_cycles / (result.cycles * arch.sm.max_warps);
    result.issue_active = c.instructions / (result.cycles * arch.sm.schedulers);
    if (arch.launch.blocks_per_cycle > 0) {
        result.cycles =
            std::max(result.cycles, static_cast<double>(result.waves.blocks) / arch.launch.blocks_per_cycle);
    }
    result.time_seconds = result.cycles / arch.clock.sm_hz + arch.launch.overhead_seconds;
}

void note_gaps(const ArchSpec& arch, SimResult& result) {
    const auto& file = arch.sm.register_file;
    if (file.bank_map == RegisterBankMap::unknown || !file.operand_slack_cycles) {
        result.gaps.emplace_back("register ports: unpublished for this generation, not limited");
    }
    if (!arch.sm.memory_queue_depth) {
        result.gaps.emplace_back("memory queue: depth unknown, not limited");
    }
    if (arch.sm.shared_memory.latency_32_cycles <= 0) {
        result.gaps.emplace_back("shared-memory latency: unknown, not counted");
    }
    result.gaps.emplace_back("instruction fetch: not modelled");
}

// All planned runs, summed up; false if one of them stopped.
bool run_all(const KernelProgram& program, const sim::DecodedProgram& decoded, sim::SmSetup setup,
             const sim::FastForward& plan, SimResult& result) {
    const auto& waves = result.waves;
    sim::AccessTable table(program, decoded, setup.arch);
    for (const auto& planned : sim::planned_runs(plan)) {
        sim::RunPlan run;
        run.trips = sim::shortened_trips(decoded, plan, planned.trips);
        plan_blocks(program, waves, plan.short_rounds > 0 ? plan.short_rounds : plan.rounds, setup.arch, run);
        auto outcome = sim::SmRun(setup, decoded, program.grid, table, run).run();
        if (outcome.status != SimStatus::ok) {
            result.status = outcome.status;
            result.reason = outcome.reason;
            return false;
        }
        const double cycles =
            sim::cycles_of_all_rounds(plan, waves.blocks_per_sm, outcome.end, outcome.block_ends);
        const double block_ratio =
            static_cast<double>(waves.busiest_sm_blocks) / static_cast<double>(run.blocks.size());
        add(outcome, cycles, planned.weight, block_ratio, result);
        if (setup.record_issues > 0) {
            result.issues = std::move(outcome.issues);
            setup.record_issues = 0;
        }
        auto& done = result.extrapolation;
        done.simulated_trips = std::max(done.simulated_trips, planned.trips);
        done.simulated_blocks = static_cast<std::int64_t>(run.blocks.size());
    }
    result.extrapolation.trips = plan.trips;
    result.extrapolation.blocks = waves.busiest_sm_blocks;
    return true;
}

}  // namespace

SimResult simulate(const KernelProgram& program, const ArchSpec& arch, const SimOptions& options) {
    SimResult result;
    const auto machine = sim::make_machine(arch);
    const auto decoded = sim::decode(program, arch, machine);
    result.occupancy = launch_occupancy(program, arch);
    const int resident = result.occupancy.blocks_per_sm;
    if (resident == 0) {
        result.status = SimStatus::infeasible;
        result.reason = result.occupancy.infeasible_reason;
        return result;
    }
    result.waves = deal_blocks(program.grid.count(), arch.sm_count, resident);
    const auto l1_bytes = l1_capacity(arch, result.occupancy);
    result.traffic = traffic_of(program, arch, result.waves, l1_bytes, options.l2);
    const sim::SmSetup setup{arch,
                             machine,
                             sim::memory_costs(arch),
                             sim::memory_rates(arch, result.waves, result.traffic),
                             l1_bytes,
                             options.record_issues,
                             options.max_cycles};
    const auto plan =
        sim::plan_fast_forward(decoded, result.waves.busiest_sm_blocks, resident, options.exact);
    if (run_all(program, decoded, setup, plan, result)) {
        finish(decoded, arch, result);
        note_gaps(arch, result);
    }
    return result;
}

}  // namespace gpumodel
