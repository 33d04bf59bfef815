#include "tools/views/tune/tune_views.h"

#include <fmt/format.h>

#include <algorithm>

#include "tools/views/prediction/report.h"

namespace gpumodel::cli::tuning {
namespace {

std::string rank_cell(std::size_t rank) {
    return rank == 0 ? "" : std::to_string(rank);
}

}  // namespace

const Candidate* default_of(const ShapeChoice& choice, const Candidate& candidate) {
    const auto found = std::find_if(choice.defaults.begin(), choice.defaults.end(), [&](const Candidate& d) {
        return d.job.kernel == candidate.job.kernel && d.ok() && d.compiled_code == candidate.compiled_code;
    });
    return found == choice.defaults.end() ? nullptr : &*found;
}

std::size_t default_rank(const ShapeChoice& choice, const Candidate& family_default) {
    const auto& p = family_default.shown();
    const auto found = std::find_if(choice.ranked.begin(), choice.ranked.end(), [&](const Candidate& c) {
        return c.shown().kernel == p.kernel && c.shown().params == p.params;
    });
    return found == choice.ranked.end() ? 0 : static_cast<std::size_t>(found - choice.ranked.begin()) + 1;
}

std::string tune_csv(const TuneView& view) {
    auto text = csv_header();
    text.insert(text.size() - 1,
                ",rank,loss_pct,rank_time_us,analytic_time_us,best_probability,analytic_rank,generated_rank");
    for (const auto& choice : view.choices) {
        for (std::size_t i = 0; i < choice.ranked.size(); ++i) {
            const auto& c = choice.ranked[i];
            auto row = csv_row(c.shown());
            const auto probability =
                choice.confidence ? number(choice.confidence->odds.best_probability[i]) : std::string();
            row.insert(row.size() - 1,
                       fmt::format(",{},{},{},{},{},{},{}", i + 1, number(c.loss_pct),
                                   number(1e6 * c.rank_seconds), number(1e6 * c.analytic.time_seconds),
                                   probability, rank_cell(c.analytic_rank), rank_cell(c.generated_rank)));
            text += row;
        }
    }
    return text;
}

}  // namespace gpumodel::cli::tuning
