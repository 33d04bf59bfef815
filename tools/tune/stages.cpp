#include "tools/tune/stages.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/enum_table.h"

namespace gpumodel::cli::tuning {

void compare_orders(const std::vector<std::size_t>& before, SearchStage& stage) {
    std::vector<std::size_t> sorted;
    for (const auto rank : before) {
        if (rank > 0) {
            sorted.push_back(rank);
        }
    }
    std::sort(sorted.begin(), sorted.end());
    stage.first_was = before.empty() ? 0 : before.front();
    stage.moved = 0;
    std::size_t place = 0;
    for (const auto rank : before) {
        if (rank > 0) {
            stage.moved += sorted[place++] != rank ? 1U : 0U;
        }
    }
}

std::string stage_words(const SearchStage& stage) {
    constexpr auto models = enum_words<RankedBy>("the simulator", "the analytic model", "both models");
    return fmt::format("{}, {} code", models[static_cast<std::size_t>(stage.ranked_by)],
                       stage.compiled_code ? "compiled" : "generated");
}

RankedBy ranking_of(RankedBy asked, bool compiled_code) {
    return compiled_code && asked == RankedBy::both ? RankedBy::simulate : asked;
}

std::optional<ChoiceRegret> expected_regret(const ChoiceRegrets& regrets, const std::string& generation,
                                            RankedBy ranked_by, bool compiled_code) {
    const auto found = regrets.find(
        {generation, compiled_code ? "compiled" : "generated", std::string(to_string(ranked_by))});
    return found == regrets.end() ? std::nullopt : std::optional(found->second);
}

}  // namespace gpumodel::cli::tuning
