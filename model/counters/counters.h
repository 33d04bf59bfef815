// Predicted counters under Nsight Compute's names (Volta and later metric names, used for every generation;
// nvprof's names for Kepler map onto them in the documentation of Nsight Compute): one table, a row per
// counter. What follows from the program and its addresses is the same in both models; what depends on time
// is each model's own.
//   <stall>_per_issue_active   warp cycles of the reason / cycles in which a scheduler issued
//   warps_active, _eligible    warp cycles, those of them in which the warp issued or could have, per
//                              scheduler and cycle
//   pipe fma, alu              warp instructions of the pipe's classes * 32 / (lanes * cycles)
//   l1tex hit rate             loads by averages (analytic) or as the run had them; stores as
//                              launch_counts.h has them; what passes L1 by is looked up and misses (measured:
//                              LDGSTS.BYPASS)
//   lts sectors written        of a run less what joins another store on the way (store_merging.h)
//   lts hit rate               1 - bytes read from DRAM / bytes that L2 serves and takes
// A run's are those of the simulated SM, the busiest one; a profiler averages over SMs. What a model or a GPU
// does not have (stalls without a run, L2 on cc 1.x) is left out, never 0.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/counters/launch_counts.h"
#include "model/prediction.h"
#include "model/sim/simulate.h"

namespace gpumodel {

// What counters are made of. The prediction has its time, cycles, traffic, waves and occupancies; `run` is
// null in the analytic model.
struct CounterInput {
    const LaunchCounts& counts;
    const ArchSpec& arch;
    const Prediction& prediction;
    const SimResult* run = nullptr;
};

using CounterFormula = std::function<std::optional<double>(const CounterInput&)>;

struct CounterRow {
    std::string name;
    std::string unit;          // as Nsight Compute prints it; "" = a plain number
    CounterFormula analytic;   // empty: the model has no such counter
    CounterFormula simulated;  // input with a run that issued something
};

// In the order of the csv columns.
[[nodiscard]] const std::vector<CounterRow>& counter_table();
[[nodiscard]] const std::vector<std::string>& counter_names();

// The counters of the model that the input is from.
[[nodiscard]] std::vector<Counter> predicted_counters(const CounterInput& input);

// "smsp__average_warps_issue_stalled_barrier_per_issue_active.ratio"
[[nodiscard]] std::string stall_counter_name(std::string_view reason);
[[nodiscard]] std::string stall_counter_name(StallReason reason);

}  // namespace gpumodel
