// What choosing a configuration by a prediction has cost: the regret of the first over sweeps that were
// measured, by where the programs came from and what ranked them. choice_regret.csv beside the specs; each
// row names the command that printed its figures.
#pragma once

#include <compare>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "arch_specs/loader.h"

namespace gpumodel {

struct RegretKey {
    std::string generation;  // "sm_90"
    std::string source;      // "generated" or "compiled" (here or before)
    std::string ranked_by;   // "analytic", "simulate" or "both"
    friend auto operator<=>(const RegretKey&, const RegretKey&) = default;
};

struct ChoiceRegret {
    std::size_t sweeps = 0;  // of one family at one shape
    // measured time of the first, over the best of all, - 1; of the best among the first eight
    double mean_pct = 0, worst_pct = 0, mean_of_eight_pct = 0;
    std::string from;  // the command
};

using ChoiceRegrets = std::map<RegretKey, ChoiceRegret>;

// Throws InputError with all faults.
[[nodiscard]] ChoiceRegrets read_choice_regrets(const std::string& path);

// The first choice_regret.csv on the path, read once a call; empty without one.
[[nodiscard]] ChoiceRegrets load_choice_regrets(
    const std::vector<std::string>& search_path = default_spec_path());

}  // namespace gpumodel
