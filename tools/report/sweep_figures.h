// Second pass over a sweep's rows: the figures of its page. Memory grows with the heat map's cells only.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "tools/report/sweep_survey.h"

namespace gpumodel::cli::page {

// Groups of axis values that share a column or row of the heat map, "64" or "64 \u2013 80".
struct AxisGroups {
    std::string name;
    std::vector<std::string> labels;
    std::map<std::string, std::size_t> group_of;  // value -> index of its label
};
// At most `most` groups; several values share one only where there are more.
[[nodiscard]] AxisGroups group_values(const SweepAxis& axis, std::size_t most = 32);

struct SweepFigures {
    AxisGroups x, y;  // without labels: no heat map along it
    // Best row of each cell, row by row; empty = no configuration with a time.
    std::vector<std::optional<LaunchRecord>> cells;
    std::vector<LaunchRecord> best;  // the first `top_rows`, best first; equals in the order of the file
    std::vector<std::int64_t> histogram;
    double histogram_low_us = 0, histogram_high_us = 0;
    bool histogram_logarithmic = false;
    std::map<std::string, std::int64_t> bottlenecks;
    std::int64_t within_band = 0;  // rows that the best one's error band does not tell from it
    std::int64_t without_band = 0;
    std::optional<double> least_band_pct, largest_band_pct;
    // Times by the other model for the rows of `best`, by identity; where it has at most 10,000.
    std::map<std::string, double> other_times_us;
};

inline constexpr std::size_t top_rows = 20;

[[nodiscard]] SweepFigures sweep_figures(const std::string& path, const SweepSurvey& survey,
                                         const HeatAxes& axes);

struct Sweep {
    std::string file;
    SweepSurvey survey;
    SweepFigures figures;
};
// Both passes; `x` and `y` as heat_axes takes them. Throws InputError (usage), all faults at once.
[[nodiscard]] Sweep read_sweep(const std::string& path, const std::string& x, const std::string& y);

// What rows are ranked by; smaller is better: the time, or -GFLOP/s (SweepSurvey::ranked_by_gflops).
[[nodiscard]] double rank_of(const LaunchRecord& row, const SweepSurvey& survey);

}  // namespace gpumodel::cli::page
