// The list of independent lower bounds on a launch, and which of them is the bottleneck.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "model/analytic/latency.h"
#include "model/counters/launch_counts.h"
#include "model/prediction.h"

namespace gpumodel {

// One bound per resource (busiest SM's blocks times the block's demand), the latency bound
// (rounds * a block alone, less the turnover that the first round does not have), the barrier part of it,
// block dispatch and launch; descending, zeros left out.
[[nodiscard]] std::vector<Bound> list_bounds(const BlockTime& block, const Waves& waves, const ArchSpec& arch,
                                             double sm_hz);

// The data pipe by what the launch uses it for (demand.h, l1_data_pipe).
void name_data_pipe(const LaunchCounts& counts, std::vector<Bound>& bounds);

inline constexpr std::string_view atomics_at_l2 = "atomics at L2";
// Atomics at the L2 (model/memory/atomic_bound.h), and what such a list says of them: 0 if nothing.
void add_atomics(double cycles, std::vector<Bound>& bounds);
// Less of what they share their slice with.
void shorten_atomics(double cycles, std::vector<Bound>& bounds);
[[nodiscard]] double atomics_of(const std::vector<Bound>& bounds);
// Where it was found by blocks side by side, whose trips and instructions are estimates: no more than what
// the SM takes by itself, `sm_cycles`, and what the warps that are last waited at slices.
void hold_side_by_side(double sm_cycles, Prediction& p);

// Bytes between the busiest SM and L2: what its L1 lets through, with all that its blocks share there.
struct PassedL1 {
    double read_bytes = 0, written_bytes = 0;
};

// The bounds of a launch whose traffic is known better than by averages (the simulator's): L2 and DRAM anew,
// L2 by its busier direction, without the writes that an SM may still hold when its last warp ends.
[[nodiscard]] std::vector<Bound> with_traffic(std::vector<Bound> bounds, const Traffic& traffic,
                                              const PassedL1& passed, const Waves& waves,
                                              const ArchSpec& arch, double sm_hz);

// What a model only estimates, a block alone and its barriers, no longer than the time that was simulated: at
// most that is a bound.
void hold_estimates(double cycles, std::vector<Bound>& bounds);

// Of the predicted time, launch overhead included: 0 to 1.
[[nodiscard]] double share_of_time(const Bound& bound, const Prediction& prediction);

// Names of the bounds within 2 % of the largest. Empty (unknown) when even the largest explains less
// than 70 % of the predicted cycles, i.e. when interference of several terms sets the time.
[[nodiscard]] std::vector<std::string> find_bottlenecks(const std::vector<Bound>& bounds, double cycles);

// One sentence for the first screen.
[[nodiscard]] std::string describe_bottleneck(const Prediction& prediction);

}  // namespace gpumodel
