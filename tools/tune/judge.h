// tune judged by measurements: the same ranking over exactly the configurations that were measured.
#pragma once

#include <string>
#include <vector>

#include "tools/tune/search.h"
#include "validate/accuracy/accuracy.h"

namespace gpumodel::cli::tuning {

// One family at one shape.
struct JudgedChoice {
    std::string family;
    ProblemShape shape;
    std::size_t configurations = 0;
    std::optional<double> tau;  // Kendall's, of the whole order
    // Best measured time among the first 1, first 8, over the best of all, - 1; and of the family's default.
    double top1_regret_pct = 0, top8_regret_pct = 0;
    std::optional<double> default_regret_pct;
    // What tune would have expected of the first, from the errors' spread.
    std::optional<double> expected_loss_pct;
};

// Shapes with at least two measured configurations. The best `refine` by the analytic model come first,
// ranked as by choose_configuration(), then the others in the analytic order.
[[nodiscard]] std::vector<JudgedChoice> judge(const Comparison& comparison, const ArchSpec& arch,
                                              const SearchSettings& settings, const RankSpreads& spreads);

// Both models and their geometric mean, for make_rank_spreads().
[[nodiscard]] std::vector<RankedLaunch> ranked_launches(const Comparison& comparison);

}  // namespace gpumodel::cli::tuning
