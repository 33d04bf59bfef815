#include <algorithm>
#include <numeric>
#include <utility>

#include "base/note.h"
#include "model/analytic/predict.h"
#include "model/launch/cluster_room.h"
#include "model/launch/matrix_products.h"
#include "model/memory/crowded_slices.h"
#include "model/memory/stale_copies.h"
#include "model/sim/blocks/plan_blocks.h"
#include "model/sim/l2/launch_replay.h"
#include "model/sim/launch_key.h"
#include "model/sim/run_launch.h"
#include "model/sim/shared_runs.h"
#include "model/sim/sm_run.h"

namespace gpumodel {
namespace {

Traffic traffic_of(const KernelProgram& program, const ArchSpec& arch, const Waves& waves,
                   std::int64_t l1_bytes, L2State l2) {
    const auto flat = flatten(program);
    auto sites = analyse_sites(flat, arch);
    return analyse_traffic(program, sites, waves, arch, l1_bytes, l2);
}

// What follows from the cycles of each instruction.
void sum_up(const ArchSpec& arch, SimResult& result) {
    auto& c = result.counters;
    for (std::size_t i = 0; i < result.instructions.size(); ++i) {
        auto& line = result.instructions[i];
        for (std::size_t r = 0; r < stall_reason_count; ++r) {
            c.stall_cycles[r] += line.cycles[r];
        }
        line.issues = line.cycles[static_cast<std::size_t>(StallReason::selected)];
        // the second of a dual-issued pair shares the first one's cycle, and runs as often
        const auto before = static_cast<std::size_t>(line.instruction - 1);
        if (line.instruction > 0 && line.segment->code[before].control.dual_issue) {
            line.issues = result.instructions[i - 1].issues;
        }
    }
    std::erase_if(result.instructions, [](const InstructionStalls& line) {
        return line.issues == 0 &&
               std::all_of(line.cycles.begin(), line.cycles.end(), [](double cycles) { return cycles == 0; });
    });
    c.warp_cycles = std::accumulate(c.stall_cycles.begin(), c.stall_cycles.end(), c.warp_cycles);
    result.achieved_occupancy = c.warp_cycles / (result.cycles * arch.sm.max_warps);
    result.issue_active = c.instructions / (result.cycles * arch.sm.schedulers);
}

void set_time(const ArchSpec& arch, double sm_hz, SimResult& result) {
    if (arch.launch.blocks_per_cycle > 0) {
        result.cycles =
            std::max(result.cycles, static_cast<double>(result.waves.blocks) / arch.launch.blocks_per_cycle);
    }
    result.time_seconds = result.cycles / sm_hz + arch.launch.overhead_seconds;
}

void note_gaps(const ArchSpec& arch, SimResult& result) {
    const auto& file = arch.sm.register_file;
    if (file.bank_map == RegisterBankMap::unknown || !file.operand_slack_cycles) {
        result.gaps.push_back(
            noted(NoteId::register_ports, "register ports: unpublished for this generation, not limited"));
    }
    if (!arch.sm.memory_queue_depth) {
        result.gaps.push_back(noted(NoteId::memory_queue, "memory queue: depth unknown, not limited"));
    }
    if (arch.sm.shared_memory.latency_32_cycles <= 0) {
        result.gaps.push_back(noted(NoteId::shared_latency, "shared-memory latency: unknown, not counted"));
    }
    if (!sim::knows_fetch_costs(arch)) {
        result.gaps.push_back(noted(NoteId::instruction_fetch,
                                    "instruction fetch: costs unknown for this generation, not counted"));
    }
}

// What launches may share: nothing where somebody listens, or where the machine is another.
SharedRuns* shared_by(const SimOptions& options) {
    return options.listener == nullptr && options.relax == Relax{} ? options.shared : nullptr;
}

// A launch whose blocks fit.
class Launch {
public:
    Launch(const KernelProgram& program, const ArchSpec& arch, const SimOptions& options,
           const sim::Machine& machine, const sim::DecodedProgram& decoded, LaunchRun& run)
        : program_(program),
          arch_(arch),
          options_(options),
          machine_(machine),
          decoded_(decoded),
          table_(program, decoded, arch, options.relax),
          l1_bytes_(l1_capacity(arch, run.result.occupancy)),
          run_(run) {}

    // What moves behind L1, averages.
    void set_traffic(const KnownTraffic& known) {
        auto& result = run_.result;
        result.traffic = known.traffic != nullptr && result.waves.blocks_per_sm == known.blocks_per_sm
                             ? *known.traffic
                             : traffic_of(program_, arch_, result.waves, l1_bytes_, options_.l2);
    }

    void run(const RunLimit& limit) {
        auto* const shared = shared_by(options_);
        if (shared == nullptr) {
            run_alone(limit, nullptr);
            return;
        }
        const auto key = sim::launch_key(program_, decoded_, table_, run_.result.waves, run_.result.traffic,
                                         l1_bytes_, sm_hz_);
        if (auto known = shared->find(key, limit)) {
            run_ = *std::move(known);
            for (std::size_t i = 0; i < run_.result.instructions.size(); ++i) {
                run_.result.instructions[i].segment = decoded_.code[i].segment;
            }
            return;
        }
        run_alone(limit, &shared->replays());
        shared->add(key, limit, run_);
    }

private:
    void run_alone(const RunLimit& limit, Memo<sim::Replayed>* replays) {
        auto& result = run_.result;
        // the L2 as all resident blocks use it
        auto dram_shares =
            sim::replay_launch({program_, decoded_, result.waves, arch_, l1_bytes_, options_.l2, 0, replays},
                               table_, result.traffic);
        count_accesses(result.traffic, dram_shares);
        auto rates = sim::memory_rates(arch_, sm_hz_, result.waves, result.traffic);
        if (const auto& hot = result.traffic.hot_slice) {
            rates.hot = hot;
            for (const auto& [array, line] : hot->lines) {
                rates.hot_lines.push_back(table_.first_line(array) + line);
            }
        }
        auto memory = sim::memory_setup(arch_, rates, l1_bytes_);
        memory.dram_shares = std::move(dram_shares);
        sim::relax_costs(options_.relax, memory.costs);
        // the SM, cycle by cycle
        if (options_.relax.sm_blocks > 0) {
            result.waves.busiest_sm_blocks = options_.relax.sm_blocks;
        }
        const sim::SmSetup setup{arch_,
                                 machine_,
                                 std::move(memory),
                                 sim::plan_blocks({program_, decoded_, table_, result.waves}, arch_,
                                                  options_.relax.sm_blocks == 0),
                                 options_.exact,
                                 options_.max_cycles,
                                 (limit.most_seconds - arch_.launch.overhead_seconds) * sm_hz_,
                                 limit.glance,
                                 options_.listener,
                                 options_.progress};
        sim::SmRun sm(setup, decoded_, table_);
        run_.stopped = !sm.run(result);
        if (run_.stopped) {
            const auto& time = *sm.least_time();
            run_.least_seconds = time.least() / sm_hz_ + arch_.launch.overhead_seconds;
            run_.expected_seconds = time.expected() / sm_hz_ + arch_.launch.overhead_seconds;
        }
    }

    void count_accesses(const Traffic& traffic, sim::DramShares& shares) const {
        if (traffic.stale_copies.empty() && traffic.crowded.empty()) {
            return;
        }
        for (std::size_t body = 0; body < shares.size(); ++body) {
            for (std::size_t stream = 0; stream < shares[body].size(); ++stream) {
                const auto& accesses = decoded_.bodies[body].streams[stream].accesses;
                for (std::size_t a = 0; a < accesses.size(); ++a) {
                    auto& share = shares[body][stream][a];
                    share.accesses_more = accesses_more(traffic.stale_copies, accesses[a].site->array);
                    share.crowding = crowding(traffic.crowded, accesses[a].site->array);
                }
            }
        }
    }

    const KernelProgram& program_;
    const ArchSpec& arch_;
    const double sm_hz_ = launch_clock(arch_, program_);
    const SimOptions& options_;
    const sim::Machine& machine_;
    const sim::DecodedProgram& decoded_;
    sim::AccessTable table_;
    const std::int64_t l1_bytes_;
    LaunchRun& run_;
};

}  // namespace

LaunchRun run_launch(const KernelProgram& program, const ArchSpec& arch, const SimOptions& options,
                     const KnownTraffic& known, const RunLimit& limit) {
    LaunchRun run;
    auto& result = run.result;
    // 1. what every warp executes, on which machine
    auto machine = sim::make_machine(arch);
    sim::relax_machine(options.relax, machine);
    auto decoded = sim::decode(program, arch, machine);
    sim::relax_program(options.relax, decoded);

    // 2. which blocks the SM runs
    result.occupancy = launch_occupancy(program, arch);
    if (result.occupancy.blocks_per_sm == 0) {
        result.status = SimStatus::infeasible;
        result.reason = result.occupancy.infeasible_reason;
        return run;
    }
    const auto warps = static_cast<int>(decoded.bodies.front().stream_of_warp.size());
    const int resident = std::min(result.occupancy.blocks_per_sm + options.relax.extra_blocks,
                                  machine.schedulers * sim::max_warps_per_scheduler / warps);
    result.waves = deal_launch(program, arch, resident);
    result.reason = no_room_for_clusters(program, arch, resident);
    if (!result.reason.empty()) {
        result.status = SimStatus::infeasible;
        return run;
    }

    // 3. what moves behind L1, and the SM
    Launch launch(program, arch, options, machine, decoded, run);
    launch.set_traffic(known);
    launch.run(limit);

    // 4. figures of the launch
    if (result.status == SimStatus::ok && !run.stopped) {
        sum_up(arch, result);
        set_time(arch, launch_clock(arch, program), result);
        note_gaps(arch, result);
    }
    return run;
}

SimResult simulate(const KernelProgram& program, const ArchSpec& arch, const SimOptions& options) {
    return options.relax == Relax{}
               ? run_launch(program, arch, options).result
               : run_launch(program, sim::relaxed_spec(arch, options.relax), options).result;
}

}  // namespace gpumodel
