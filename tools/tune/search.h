// The search behind tune: every combination of a family's parameters at one shape, ranked.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "tools/sweep/options/grid.h"
#include "tools/sweep/tally.h"
#include "tools/tune/ranking.h"
#include "validate/accuracy/choice_odds.h"
#include "validate/accuracy/rank_spread.h"

namespace gpumodel::cli::tuning {

struct Candidate {
    PredictionJob job;
    Prediction analytic;
    std::optional<Prediction> simulated;
    double rank_seconds = 0;
    double loss_pct = 0;  // rank_seconds beyond the winner's; 0 for what counts as equal
    std::string spills;   // spill_reason(): a default may, nothing else does
    [[nodiscard]] const Prediction& shown() const { return simulated ? *simulated : analytic; }
    [[nodiscard]] bool ok() const {
        return analytic.status == Status::ok && (!simulated || simulated->status == Status::ok);
    }
};

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

struct ShapeChoice {
    ProblemShape shape;
    Tally tally;                      // of all combinations
    std::vector<Candidate> ranked;    // the refined, fastest first; empty: nothing is valid
    std::vector<Candidate> defaults;  // each family's own configuration, in the order of the kernels
    std::vector<std::string> failed;  // what the simulator could not run, with its reason
    std::optional<Confidence> confidence;
};

struct SearchSettings {
    RankedBy ranked_by = RankedBy::both;
    std::size_t refine = 64;
    std::size_t top = 8;
    L2State l2 = L2State::warm;
    int threads = 0;  // 0 = all cores
};

// One grid per family, without shapes. The same result at any thread count.
[[nodiscard]] ShapeChoice choose_configuration(const std::vector<Grid>& families, const ProblemShape& shape,
                                               const ArchSpec& arch, const SearchSettings& settings,
                                               const RankSpreads& spreads);

// Of contenders in rank order; sigma from `spreads`: within a family at one shape, or for several families
// with what a family's configurations share. Empty: some family has none.
struct RankedTime {
    std::string family;
    double seconds = 0;
};
[[nodiscard]] std::optional<Confidence> confidence_of(const std::vector<RankedTime>& ranked,
                                                      const ProblemShape& shape, const ArchSpec& arch,
                                                      const SearchSettings& settings,
                                                      const RankSpreads& spreads);

}  // namespace gpumodel::cli::tuning
