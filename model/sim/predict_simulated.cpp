#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <numeric>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/note.h"
#include "model/analytic/bounds.h"
#include "model/counters/counters.h"
#include "model/power/launch_power.h"
#include "model/sim/core/utilisation.h"
#include "model/sim/predict_below.h"
#include "model/sim/run_launch.h"

namespace gpumodel {
namespace {

double total(const std::array<double, stall_reason_count>& cycles) {
    return std::accumulate(cycles.begin(), cycles.end(), 0.0);
}

InstructionReport report_instruction(const KernelProgram& program, const InstructionStalls& line) {
    InstructionReport r;
    r.segment = line.segment->name;
    r.index = line.instruction;
    r.issues = line.issues;
    r.stall_cycles = line.cycles;
    if (line.instruction < 0) {
        r.mnemonic = "barrier";
        r.op = OpClass::barrier;
        return r;
    }
    const auto& instruction = line.segment->code[static_cast<std::size_t>(line.instruction)];
    r.mnemonic = program.mnemonics.name(instruction.mnemonic);
    r.op = instruction.op;
    r.address = instruction.address;
    if (program.text) {
        r.source = program.text->source_at(r.address);
    }
    if (instruction.site >= 0) {
        r.site = line.segment->sites[static_cast<std::size_t>(instruction.site)].name;
    }
    return r;
}

// A listing's instruction stands in the program as often as blocks or paths differ: all of it is one line,
// where it came first. Generated code has no addresses.
std::vector<InstructionReport> report_instructions(const KernelProgram& program, const SimResult& run) {
    std::vector<InstructionReport> list;
    std::unordered_map<std::uint32_t, std::size_t> by_address;
    for (std::size_t i = 0; i < run.instructions.size(); ++i) {
        auto report = report_instruction(program, run.instructions[i]);
        report.line = i;
        if (report.address > 0) {
            const auto [known, first] = by_address.try_emplace(report.address, list.size());
            if (!first) {
                auto& sum = list[known->second];
                sum.issues += report.issues;
                std::transform(sum.stall_cycles.begin(), sum.stall_cycles.end(), report.stall_cycles.begin(),
                               sum.stall_cycles.begin(), std::plus<>());
                continue;
            }
        }
        list.push_back(std::move(report));
    }
    std::stable_sort(list.begin(), list.end(), [](const InstructionReport& a, const InstructionReport& b) {
        return total(a.stall_cycles) > total(b.stall_cycles);
    });
    return list;
}

SimulationReport report_simulation(const KernelProgram& program, const ArchSpec& arch, const SimResult& run) {
    SimulationReport r;
    r.warp_cycles = run.counters.warp_cycles;
    r.stall_cycles = run.counters.stall_cycles;
    r.instructions = run.counters.instructions;
    r.issue_active = run.issue_active;
    r.instructions_by_stall = report_instructions(program, run);
    const auto use = sm_use(run, arch);
    for (const auto& pipe : use.pipes) {
        r.pipes.push_back({to_string(pipe.pipe), pipe.instructions, pipe.utilisation});
    }
    r.data_pipe = use.data_pipe;
    r.trips = run.extrapolation.trips;
    r.simulated_trips = run.extrapolation.simulated_trips;
    r.blocks = run.extrapolation.blocks;
    r.simulated_blocks = run.extrapolation.simulated_blocks;
    r.simulated_instructions = run.simulated_instructions;
    return r;
}

// What comes back to SMs by averages: of atomics, half of their bytes, where old values do.
double expected_back(const std::vector<AnalysedSite>& sites) {
    double bytes = 0;
    for (const auto& s : sites) {
        const bool atomic = s.site->kind == AccessKind::atomic;
        if (s.site->space != MemorySpace::shared && s.site->kind != AccessKind::store &&
            !(atomic && s.site->name.starts_with("RED"))) {
            bytes += s.blocks * s.l2_bytes_per_block / (atomic ? 2 : 1);
        }
    }
    return bytes;
}

// Of the reads that pass beside atomics only those count that the simulated SM's L1 let through.
void leave_out_hits(const DescribedLaunch& launch, const PassedL1& passed, Prediction& p) {
    if (p.terms.beside_atomics_cycles <= 0) {
        return;
    }
    const double sms = p.waves.shares();
    const double expected = expected_back(launch.sites);
    const double come = passed.read_bytes * sms;
    if (come < expected) {
        shorten_atomics(p.terms.beside_atomics_cycles * (1 - come / expected), p.bounds);
    }
}

// The simulated SM's trips go to the other half as often as not; who polls mostly finds the copy in its own
// (H200: 314 cycles a poll for 480, validate/data/h200_sxm_handoffs.csv).
void poll_copies(Prediction& p) {
    constexpr double longer = 0.5;
    const double least = std::min(p.cycles, atomics_of(p.bounds));
    const double cycles = std::max(least, p.cycles - longer * p.terms.polled_cycles);
    p.time_seconds -= (p.cycles - cycles) / p.sm_hz;
    p.cycles = cycles;
}

// The SM does not see how atomics of all SMs queue at the L2.
void wait_for_atomics(const ArchSpec& arch, Prediction& p) {
    const double cycles = atomics_of(p.bounds);
    if (cycles <= p.cycles) {
        return;
    }
    p.gaps.push_back(noted(
        NoteId::atomics_queue,
        fmt::format("atomics queue at the L2: the time is that bound, stalls and counters are of the {:.0f} "
                    "simulated cycles",
                    p.cycles)));
    p.cycles = cycles;
    p.time_seconds = cycles / p.sm_hz + arch.launch.overhead_seconds;
}

}  // namespace

Prediction predict_simulated(const KernelProgram& program, const ArchSpec& arch, const SimOptions& options) {
    return predict_simulated(describe_launch(program, arch, options.l2), options);
}

Prediction predict_simulated(const DescribedLaunch& launch, const SimOptions& options) {
    return *predict_below(launch, options, std::numeric_limits<double>::infinity());
}

std::optional<Prediction> predict_below(const DescribedLaunch& launch, const SimOptions& options,
                                        double most_seconds) {
    if (!is_predicted(launch.common.status)) {
        return predict_simulated(launch, SimResult{});
    }
    if (!(options.relax == Relax{})) {
        return predict_simulated(launch, simulate(launch.program, launch.arch, options));
    }
    const KnownTraffic known{&launch.common.traffic, launch.common.waves.blocks_per_sm};
    const auto run = run_launch(launch.program, launch.arch, options, known, {most_seconds});
    return run.stopped ? std::nullopt : std::optional(predict_simulated(launch, run.result));
}

Glance glance_at(const DescribedLaunch& launch, const SimOptions& options) {
    constexpr double never = std::numeric_limits<double>::infinity();
    if (launch.common.status != Status::ok) {
        return {never, 0};
    }
    const KnownTraffic known{&launch.common.traffic, launch.common.waves.blocks_per_sm};
    const auto run = run_launch(launch.program, launch.arch, options, known, {never, true});
    if (run.stopped) {
        return {run.expected_seconds, run.least_seconds};
    }
    const bool ok = run.result.status == SimStatus::ok;
    return ok ? Glance{run.result.time_seconds, run.result.time_seconds} : Glance{never, 0};
}

Prediction predict_simulated(const DescribedLaunch& launch, const SimResult& run) {
    Prediction p = launch.common;
    p.model = "simulate";
    if (!is_predicted(p.status)) {
        return p;
    }
    if (run.status != SimStatus::ok) {
        p.status = run.status == SimStatus::infeasible ? Status::infeasible : Status::error;
        p.reason = run.reason;
        return p;
    }
    p.cycles = run.cycles;
    p.time_seconds = run.time_seconds;
    p.achieved_occupancy = run.achieved_occupancy;
    p.traffic = run.traffic;
    const PassedL1 passed{run.counters.l2_read_bytes, run.counters.l2_write_bytes};
    p.bounds = with_traffic(std::move(p.bounds), p.traffic, passed, p.waves, launch.arch, p.sm_hz);
    leave_out_hits(launch, passed, p);
    hold_estimates(p.cycles, p.bounds);
    poll_copies(p);
    hold_side_by_side(p.cycles, p);
    wait_for_atomics(launch.arch, p);
    if (p.retried_cycles > 0) {
        p.cycles += p.retried_cycles;
        p.time_seconds += p.retried_cycles / p.sm_hz;
    }
    p.energy = launch_energy(launch.program, launch.arch, launch.counts, p.traffic);
    set_power(launch.arch, p);
    p.bottlenecks = find_bottlenecks(p.bounds, p.cycles);
    p.bottleneck_words = describe_bottleneck(p);
    p.counters = predicted_counters({launch.counts, launch.arch, p, &run});
    p.gaps.insert(p.gaps.end(), run.gaps.begin(), run.gaps.end());
    p.gaps.insert(p.gaps.end(), launch.program.notes.begin(), launch.program.notes.end());
    p.simulation = report_simulation(launch.program, launch.arch, run);
    return p;
}

}  // namespace gpumodel
