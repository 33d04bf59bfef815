// How far a choice among predictions can be trusted.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "arch_specs/arch_spec.h"
#include "tools/tune/ranking.h"
#include "validate/accuracy/choice_odds.h"
#include "validate/accuracy/rank_spread.h"

namespace gpumodel::cli::tuning {

// How much can be said of the choice: needs the errors' spread, measured for every family that competes.
struct Confidence {
    double sigma_pct = 0;  // the winner's family's
    ChoiceOdds odds;       // of the ranked, in their order
    // Ranks behind the winner that a comparison of two predictions cannot tell from it with 90 %:
    // ln(time / winner's) <= 1.645 sqrt(sigma_i^2 + sigma_winner^2).
    std::size_t not_told_apart = 0;
    // Measuring so many of the first leaves an expected loss of at most 1 %; empty: more than are shown.
    std::optional<std::size_t> measure_first;
};

// Of contenders in rank order; sigma from `spreads`: within a family at one shape, or for several families
// with what a family's configurations share. Empty: some family has none.
struct RankedTime {
    std::string family;
    double seconds = 0;
};
[[nodiscard]] std::optional<Confidence> confidence_of(const std::vector<RankedTime>& ranked,
                                                      const ProblemShape& shape, const ArchSpec& arch,
                                                      RankedBy ranked_by, std::size_t top,
                                                      const RankSpreads& spreads);

}  // namespace gpumodel::cli::tuning
