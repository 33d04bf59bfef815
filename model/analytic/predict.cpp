#include "model/analytic/predict.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/note.h"
#include "model/analytic/bounds.h"
#include "model/counters/counters.h"
#include "model/power/launch_power.h"

namespace gpumodel {
namespace {

// What the launch takes beyond a perfectly even deal of fractional blocks to all SMs.
double quantisation_cycles(const Waves& waves, const BlockTime& block, double total) {
    const double even = waves.even_blocks();
    const double per_block = round_cycles(block, waves.blocks_per_sm) / waves.blocks_per_sm;
    return std::max(0.0, total - std::max(even * per_block, std::min(total, block.alone_cycles)));
}

// Classes that the program executes and the spec has no timing for.
void note_unknown_classes(const FlatProgram& flat, const ArchSpec& arch, Prediction& p) {
    OpCounts executed{};
    for (const auto& item : flat.intervals) {
        for (const auto& segment : item.interval->segments) {
            for (std::size_t i = 0; i < op_class_count; ++i) {
                executed[i] += segment.ops[i];
            }
        }
    }
    for (std::size_t i = 0; i < op_class_count; ++i) {
        if (executed[i] > 0 && !arch.sm.ops[i]) {
            p.gaps.push_back(
                noted(NoteId::op_timing,
                      fmt::format("{} instructions: not in the spec, only their issue slots are counted",
                                  op_classes[i].name)));
        }
    }
}

void note_gaps(const KernelProgram& program, const ArchSpec& arch, Prediction& p) {
    if (arch.sm.register_file.banks * arch.sm.register_file.reads_per_bank_per_cycle <= 0) {
        p.gaps.push_back(
            noted(NoteId::register_ports, "register ports: unpublished for this generation, not limited"));
    }
    if (arch.sm.shared_memory.latency_32_cycles <= 0) {
        p.gaps.push_back(noted(NoteId::shared_latency, "shared-memory latency: unknown, not counted"));
    }
    if (arch.launch.blocks_per_cycle <= 0) {
        p.gaps.push_back(noted(NoteId::dispatch_rate, "block dispatch rate: unknown, not limited"));
    }
    for (const auto& note : program.notes) {
        p.gaps.push_back(note);
    }
    p.gaps.push_back(noted(NoteId::instruction_order,
                           "instruction order: waits and register ports only, control words not modelled"));
}

void fill_time(const BlockTime& block, const ArchSpec& arch, Prediction& p) {
    const auto& w = p.waves;
    if (p.terms.side_by_side) {  // by the rounds, which the bound is no part of
        const auto rounds = launch_cycles(block, arch, p);
        hold_side_by_side(rounds.steady + rounds.tail, p);
    }
    const auto cycles = launch_cycles(block, arch, p);
    p.terms.steady_cycles = cycles.steady + p.retried_cycles;
    p.terms.tail_cycles = cycles.tail;
    p.cycles = cycles.total + p.retried_cycles;
    p.terms.quantisation_cycles = quantisation_cycles(w, block, p.terms.steady_cycles + p.terms.tail_cycles);
    p.time_seconds = p.cycles / p.sm_hz + arch.launch.overhead_seconds;
    set_power(arch, p);
}

// Mean active warps over the SMs and the launch, of the maximum.
double achieved_occupancy(const BlockTime& block, const Prediction& p, const ArchSpec& arch) {
    const auto& w = p.waves;
    const auto resident = std::min<std::int64_t>(w.busiest_sm_blocks, w.blocks_per_sm);
    const double lifetime = round_cycles(block, static_cast<int>(resident));
    const double warp_cycles = static_cast<double>(w.blocks) * p.occupancy.warps_per_block * lifetime;
    const double average = warp_cycles / (static_cast<double>(w.sm_count) * p.cycles);
    return std::min(average / arch.sm.max_warps, p.occupancy.occupancy);
}

}  // namespace

Prediction predict_analytic(DescribedLaunch launch) {
    Prediction p = std::move(launch.common);
    if (!is_predicted(p.status)) {
        return p;
    }
    fill_time(launch.block, launch.arch, p);
    p.achieved_occupancy = achieved_occupancy(launch.block, p, launch.arch);
    p.bottlenecks = find_bottlenecks(p.bounds, p.cycles);
    p.bottleneck_words = describe_bottleneck(p);
    p.counters = predicted_counters({launch.counts, launch.arch, p});
    note_unknown_classes(launch.flat, launch.arch, p);
    note_gaps(launch.program, launch.arch, p);
    return p;
}

Prediction predict_analytic(const KernelProgram& program, const ArchSpec& arch,
                            const PredictOptions& options) {
    return predict_analytic(describe_launch(program, arch, options.l2));
}

}  // namespace gpumodel
