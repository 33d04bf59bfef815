// Predicted counters against Nsight Compute's, launch by launch (validate/measure/ncu_to_csv.py makes the
// csv files).
//   error = predicted / measured - 1
// Bank conflicts are extra wavefronts and often 0, so their error is their difference over the measured
// wavefronts of the same launch; a stall reason's is its difference over all measured stalls. A predicted
// figure where 0 was measured counts as 100 %. Equal to the two decimals that the profiler prints is exact.
//
// A profiler runs a launch once for every few counters. It flushes the caches before each run unless it is
// told not to (`ncu --cache-control none`): then only the first run finds nothing of the launch's data in L2.
// Hit rates and traffic are of that one, rates of the schedulers and stall reasons of later ones
// (validate/data/README.md).
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "validate/accuracy/accuracy.h"
#include "validate/counters/stall_sets.h"

namespace gpumodel {

struct CountedLaunch {
    Measurement launch;          // without a time
    std::vector<double> values;  // one per name of the table
    StallProfile stalls;         // those that are not predicted too
};

struct CounterTable {
    std::vector<std::string> names;  // the file's counters that we predict, in its order
    std::vector<CountedLaunch> launches;
};

// Reads a csv with the columns family, params, M, N, K and counters under Nsight Compute's names;
// launch__registers_per_thread goes into the launches' registers, other columns are ignored. Throws
// InputError with all faults; a file without any counter that we predict is one.
[[nodiscard]] CounterTable read_counters(const std::string& path);

struct ComparedCounter {
    const CountedLaunch* measured = nullptr;
    std::size_t name = 0;  // index into CounterTable::names
    double measured_value = 0;
    double predicted_value = 0;
    double error = 0;
    [[nodiscard]] bool exact() const { return error == 0; }
};

struct CounterComparison {
    std::vector<ComparedCounter> values;
    StallSets stalls;
    std::vector<std::string> skipped;  // why launches have no prediction, each reason once
};

// What the error of a counter is relative to: its own measured value; for bank conflicts the wavefronts', for
// a stall reason the sum over all reasons. `measured` gives the launch's counters by name.
[[nodiscard]] double counter_scale(const std::string& name,
                                   const std::function<std::optional<double>(const std::string&)>& measured);
[[nodiscard]] double counter_error(double measured, double predicted, double scale);

// What `ncu --cache-control` was.
enum class CacheControl : unsigned char { all, none };

// Every counter of every launch, as a profiler sees it (settings.l2 is ignored). `for_each` as in
// CompareOptions.
[[nodiscard]] CounterComparison compare_counters(const CounterTable& table, const ArchSpec& arch,
                                                 LaunchSettings settings,
                                                 CacheControl caches = CacheControl::all,
                                                 const ForEach& for_each = {});

struct CounterStatistics {
    std::string name;
    std::size_t launches = 0;
    std::size_t exact = 0;
    std::size_t close = 0;  // within 0.5 %
    double mean_pct = 0;    // of |error|
    double worst_pct = 0;   // the error of largest magnitude, with its sign
    std::string worst;      // its launch: "family KEY=VALUE;..."
};

// One entry per counter with at least one launch that `include` accepts, in the table's order.
[[nodiscard]] std::vector<CounterStatistics> counter_statistics(
    const CounterTable& table, const CounterComparison& comparison,
    const std::function<bool(const CountedLaunch&)>& include);

}  // namespace gpumodel
