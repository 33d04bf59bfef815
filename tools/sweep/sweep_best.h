// A simulated sweep that keeps the fastest of each shape: what cannot be among them is not simulated to its
// end.
#pragma once

#include <functional>

#include "tools/sweep/pieces/piece.h"

namespace gpumodel::cli {

// The analytic model ranks the points (of so many at a time) first. Of 1024 in that order the beginnings are
// simulated: they rank anew by the time that these show. They are simulated in that order, in
// rounds of 64; a simulation stops once it shows that the launch takes longer than the 64th best time of its
// shape (or the plan's --top, if that is more) after the rounds before, and does not start where its
// beginning has shown that. So which ones stop depends on no thread's timing. What was stopped is valid in
// the tally and has no row. Points whose programs are equal share one simulation (model/sim/shared_runs.h).
//
// `take` gets the pieces one at a time, one combination of spec values after the other; their ranges only say
// how many points they stand for. `go_on` is asked between rounds. Returns how many simulations were stopped.
std::int64_t run_best(const SweepPlan& plan, PointRange range, const std::function<bool()>& go_on,
                      const std::function<void(PieceResult&&)>& take);

}  // namespace gpumodel::cli
