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
    const ArchSpec& arch;  // `slowed`, where the launch's products let the clock droop
    // Its traffic is by averages over the waves. Status infeasible with the reason if a block does not fit,
    // or if not all blocks of a grid with a barrier do; nothing else is there then.
    Prediction common;
    FlatProgram flat;
    std::vector<AnalysedSite> sites;
    LaunchCounts counts;
    BlockTime block;
    std::shared_ptr<const ArchSpec> slowed;
};
[[nodiscard]] DescribedLaunch describe_launch(const KernelProgram& program, const ArchSpec& arch, L2State l2,
                                              Detail detail = Detail::report);

// The spec at the clock of a launch that has been predicted on it (Prediction::sm_hz): what further runs of
// the launch, as explain()'s, are to be made on.
[[nodiscard]] ArchSpec at_clock_of(const Prediction& p, const ArchSpec& arch);

// Occupancy of the launch with the program's own resources; static shared arrays cannot use the opt-in range.
[[nodiscard]] Occupancy launch_occupancy(const KernelProgram& program, const ArchSpec& arch);

// L1 capacity beside the shared memory that `blocks` resident blocks use: the unified array less the
// smallest carve-out that holds them, or the L1 size of the chosen split.
[[nodiscard]] std::int64_t l1_capacity(const ArchSpec& arch, const Occupancy& occupancy);

}  // namespace gpumodel
