// First pass over a sweep's rows: what was varied, which model speaks, how far times reach.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "model/compare/launch_record.h"

namespace gpumodel::cli::page {

// Every row of a result csv. Throws InputError (usage), all faults at once.
void each_row(const std::string& path, const std::function<void(const LaunchRecord&)>& take);

// What was swept: parameters in the row's order, then spec keys, M, N, K, kernel and arch.
[[nodiscard]] std::vector<std::pair<std::string, std::string>> axes_of(const LaunchRecord& row);
// Arch, kernel, sizes, parameters and spec keys in one line.
[[nodiscard]] std::string identity_of(const LaunchRecord& row);

// Numbers by value, other text after them by byte.
struct ByNumber {
    bool operator()(const std::string& a, const std::string& b) const;
};

struct SweepAxis {
    std::string name;
    std::set<std::string, ByNumber> values;
};

struct ModelRows {
    std::int64_t rows = 0;  // with a time
    double fastest_us = 0, slowest_us = 0;
    double most_gflops = 0;
    bool all_have_gflops = true;
};

struct SweepSurvey {
    std::int64_t rows = 0;
    std::map<std::string, std::int64_t> status;      // count of each
    std::map<std::string, std::int64_t> rejections;  // reasons of rows without a time
    std::int64_t other_rejections = 0;               // beyond the 4096 different ones that are kept
    std::map<std::string, ModelRows> models;
    std::vector<SweepAxis> axes;  // in order of appearance; those with one value too
    bool cubes = true;            // M = N = K in every row

    // The model with the most times; of equals the simulator.
    [[nodiscard]] std::string model() const;  // "" = no row has a time
    // Several problem sizes, whose times are not to be compared: GFLOP/s are, where every row has them.
    [[nodiscard]] bool ranked_by_gflops() const;
    [[nodiscard]] const SweepAxis* find(const std::string& name) const;
};

// Throws InputError (usage) as each_row does.
[[nodiscard]] SweepSurvey survey_sweep(const std::string& path);

// The two axes of the heat map: `x` and `y` where given, else those with the most values; "" where nothing
// else was varied. Throws InputError (usage) for names that no row has.
struct HeatAxes {
    std::string x, y;
};
[[nodiscard]] HeatAxes heat_axes(const SweepSurvey& survey, const std::string& x, const std::string& y);

}  // namespace gpumodel::cli::page
