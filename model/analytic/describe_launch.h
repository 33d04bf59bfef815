// What both models say of a launch, worked out once: occupancy, waves, memory sites and traffic, the
// resources that a block asks for, and the bounds that follow. What a model finds by itself (time, cycles,
// achieved occupancy, bottleneck, counters, gaps) it fills in.
#pragma once

#include <memory>
#include <vector>

#include "model/analytic/latency.h"
#include "model/counters/launch_counts.h"
#include "model/prediction.h"

namespace gpumodel {

// How much is said. Rows of many launches need the figures alone: not the list of sites, nor which inputs are
// estimates.
enum class Detail : unsigned char { report, figures };

// Of a program and a GPU that outlive it.
struct DescribedLaunch {
    const KernelProgram& program;
    const ArchSpec& arch;  // `slowed`, where the launch runs below the clock that the spec would give it
    // Its traffic is by averages over the waves. Status infeasible with the reason if a block does not fit,
    // or if not all blocks of a grid with a barrier do; nothing else is there then.
    Prediction common;
    FlatProgram flat;
    std::vector<AnalysedSite> sites;
    LaunchCounts counts;
    BlockTime block;
    std::shared_ptr<const ArchSpec> slowed;
};
// The clock is that of a short series of launches; with Clocks::sustained that at which the board, by the
// analytic time, draws no more than power.limit.
[[nodiscard]] DescribedLaunch describe_launch(const KernelProgram& program, const ArchSpec& arch, L2State l2,
                                              Detail detail = Detail::report);

// At a clock that the caller found.
[[nodiscard]] DescribedLaunch describe_launch_at(const KernelProgram& program, const ArchSpec& arch,
                                                 double hz, L2State l2, Detail detail);

// The analytic model's time in SM cycles: rounds of resident blocks and a last one, at least what dispatch
// and atomics take.
struct LaunchCycles {
    double steady = 0, tail = 0;
    double total = 0;
};
[[nodiscard]] LaunchCycles launch_cycles(const BlockTime& block, const ArchSpec& arch, const Prediction& p);

// The spec at the clock of a launch that has been predicted on it (Prediction::sm_hz): what further runs of
// the launch, as explain()'s, are to be made on.
[[nodiscard]] ArchSpec at_clock_of(const Prediction& p, const ArchSpec& arch);

// Occupancy of the launch with the program's own resources; static shared arrays cannot use the opt-in range.
[[nodiscard]] Occupancy launch_occupancy(const KernelProgram& program, const ArchSpec& arch);

// L1 capacity beside the shared memory that `blocks` resident blocks use: the unified array less the
// smallest carve-out that holds them, or the L1 size of the chosen split.
[[nodiscard]] std::int64_t l1_capacity(const ArchSpec& arch, const Occupancy& occupancy);

}  // namespace gpumodel
