// The search behind tune: every combination of a family's parameters at one shape, ranked.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "tools/sweep/options/grid.h"
#include "tools/sweep/tally.h"
#include "tools/tune/confidence.h"
#include "tools/tune/ranking.h"
#include "tools/tune/stages.h"

namespace gpumodel::cli::tuning {

struct Candidate {
    PredictionJob job;
    Prediction analytic;
    std::optional<Prediction> simulated;
    double rank_seconds = 0;
    double loss_pct = 0;         // rank_seconds beyond the winner's; 0 for what counts as equal
    std::string spills;          // spill_reason(): a default may, nothing else does
    bool compiled_code = false;  // that it is ranked by
    std::size_t analytic_rank = 0, generated_rank = 0;  // in the stages before; 0 = was not in it
    [[nodiscard]] const Prediction& shown() const { return simulated ? *simulated : analytic; }
    [[nodiscard]] bool ok() const {
        return is_predicted(analytic.status) && (!simulated || is_predicted(simulated->status));
    }
};

struct ShapeChoice {
    ProblemShape shape;
    Tally tally;                           // of all combinations
    std::vector<Candidate> ranked;         // the refined, fastest first; empty: nothing is valid
    std::vector<Candidate> defaults;       // each family's own configuration, in the order of the kernels
    std::vector<std::string> failed;       // what the simulator could not run, with its reason
    std::optional<Confidence> confidence;  // of orders by generated code
    std::vector<SearchStage> stages;       // the last one's order is that of `ranked`
    std::string without_compiled;          // why there is no order by compiled code; "" = there is one
    std::size_t left_out = 0;              // of the best, without compiled code where all others have it
};

struct SearchSettings {
    RankedBy ranked_by = RankedBy::both;
    std::size_t refine = 64;
    std::size_t top = 8;
    L2State l2 = L2State::warm;
    int threads = 0;  // 0 = all cores
    // Where programs come from: of all combinations (null = generated), and of the best `most_compiled`
    // behind the simulation of generated ones (null = there is no such stage), and what is there without a
    // compiler.
    std::shared_ptr<const ProgramProvider> code_of_all, code_of_best, code_kept;
};

// How far the orders can be trusted, as measured.
struct SearchExperience {
    RankSpreads spreads;
    ChoiceRegrets regrets;
};

// One grid per family, without shapes. The same result at any thread count. An order by compiled code needs
// it for half of the best at least. Where so many are kept, those alone are simulated; else generated code
// ranks first, and configurations without compiled code stay behind, in the order that they had.
[[nodiscard]] ShapeChoice choose_configuration(const std::vector<Grid>& families, const ProblemShape& shape,
                                               const ArchSpec& arch, const SearchSettings& settings,
                                               const SearchExperience& measured);

}  // namespace gpumodel::cli::tuning
