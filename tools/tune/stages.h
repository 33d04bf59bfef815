// The stages of a search, each with fewer configurations and a better look at them than the one before:
//   1. the analytic model on the whole grid
//   2. both models on the best 64 of those
//   3. the simulator on the best 16 with the code that a compiler makes of them, where there is one; they are
//      ordered by it alone
// Where a compiler's code of most of the best is there already, in the cache or with gpumodel, the simulator
// runs all of them by that and there is no third stage (compiled_first.h). With --compile always all stages
// have it.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "tools/tune/ranking.h"
#include "validate/accuracy/choice_regret.h"

namespace gpumodel::cli::tuning {

struct SearchStage {
    RankedBy ranked_by = RankedBy::analytic;
    bool compiled_code = false;  // here or before; else generated
    std::size_t configurations = 0;
    // Of these, against the order of the stage before: whose rank is another, and what was the first one's.
    // Nothing for the first stage.
    std::size_t moved = 0, first_was = 0;
    std::optional<ChoiceRegret> expected;  // nothing: never measured on this generation
};

// `before`: by configuration in the new order, its rank in the stage before (among any others); 0 = it was
// not in it.
void compare_orders(const std::vector<std::size_t>& before, SearchStage& stage);

// "both models, generated code"
[[nodiscard]] std::string stage_words(const SearchStage& stage);

// Code by a compiler is ranked by the simulator alone unless the analytic model is asked for: the geometric
// mean with the analytic model evens out what generated code gets wrong.
[[nodiscard]] RankedBy ranking_of(RankedBy asked, bool compiled_code);

// The expected loss that was measured for such a stage.
[[nodiscard]] std::optional<ChoiceRegret> expected_regret(const ChoiceRegrets& regrets,
                                                          const std::string& generation, RankedBy ranked_by,
                                                          bool compiled_code);

}  // namespace gpumodel::cli::tuning
