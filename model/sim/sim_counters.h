// Counters of a simulated launch under Nsight Compute's names: those that follow from the program and its
// addresses as the analytic model has them, those that depend on what happens over time from the run.
//   <stall>_per_issue_active   warp cycles of the reason / cycles in which a scheduler issued
//   warps_active, _eligible    warp cycles, those of them in which the warp issued or could have, per
//                              scheduler and cycle
//   pipe fma, alu              warp instructions of the pipe's classes * 32 / (lanes * cycles)
//   l1tex hit rate             the run's for loads; stores look up as analytic/counters.h has them
//   lts hit rate               1 - bytes read from DRAM / bytes that L2 serves and takes
// All of the simulated SM, the busiest one; a profiler averages over SMs. What the run does not have (a GPU
// without L2, a run without loads) is left out.
#pragma once

#include <vector>

#include "model/prediction.h"
#include "model/sim/simulate.h"

namespace gpumodel {

// `prediction` holds the analytic counters and the simulated time, cycles, traffic and achieved occupancy.
[[nodiscard]] std::vector<Counter> simulated_counters(const SimResult& run, const ArchSpec& arch,
                                                      const Prediction& prediction);

// "smsp__average_warps_issue_stalled_barrier_per_issue_active.ratio"
[[nodiscard]] std::string stall_counter_name(StallReason reason);

}  // namespace gpumodel
