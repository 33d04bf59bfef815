#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tools/tune/reasons.h"
#include "tools/views/prediction/report.h"
#include "tools/views/prediction/shared_rows.h"
#include "tools/views/tune/tune_views.h"

namespace gpumodel::cli::tuning {
namespace {

constexpr std::size_t rules_shown = 3;
constexpr double equal_pct = 0.1;  // as rank_order() has it

std::string ranking_words(RankedBy ranked_by) {
    switch (ranked_by) {
        case RankedBy::simulate:
            return "are simulated and ranked by the simulator";
        case RankedBy::analytic:
            return "are ranked by it";
        case RankedBy::both:
            break;
    }
    return "are simulated and ranked by the geometric mean of both models' times";
}

std::string search_text(const ShapeChoice& choice) {
    const auto& refined = choice.stages[choice.stages.size() > 1 ? 1 : 0];
    auto text =
        fmt::format("{} combinations, {} valid; {}, the best by the analytic model and the default, {}\n",
                    grouped(choice.tally.points), grouped(choice.tally.valid), choice.ranked.size(),
                    ranking_words(refined.ranked_by));
    const auto rules = choice.tally.rules_by_count();
    for (std::size_t i = 0; i < std::min(rules.size(), rules_shown); ++i) {
        text +=
            fmt::format("{} {} {}", i == 0 ? "  not valid:" : ";", grouped(rules[i].second), rules[i].first);
    }
    if (rules.size() > rules_shown) {
        text += fmt::format("; {} more rules", rules.size() - rules_shown);
    }
    return text + (rules.empty() ? "" : "\n");
}

std::string loss_text(const std::optional<ChoiceRegret>& expected) {
    return expected ? fmt::format("expected loss {:.1f} % (measured over {} sweeps, worst {:.1f} %)",
                                  expected->mean_pct, expected->sweeps, expected->worst_pct)
                    : "expected loss unknown: not measured on this generation";
}

// What each stage looked at, what that changed, and what choosing by it has cost where that was measured.
std::string stages_text(const ShapeChoice& choice) {
    std::string text;
    for (std::size_t i = 0; i < choice.stages.size(); ++i) {
        const auto& stage = choice.stages[i];
        std::string change;
        if (i > 0) {
            change = fmt::format("{} moved, ", stage.moved);
            change += stage.first_was == 1  ? "the first stays"
                      : stage.first_was > 1 ? fmt::format("the first was {}", stage.first_was)
                                            : "the first is the default";
            change += "; ";
        }
        text += fmt::format("  stage {}: {:>5} by {:<34}  {}{}\n", i + 1,
                            grouped(static_cast<std::int64_t>(stage.configurations)), stage_words(stage),
                            change, loss_text(stage.expected));
    }
    if (!choice.without_compiled.empty()) {
        text += fmt::format("  the order rests on generated code: {}\n", choice.without_compiled);
    }
    if (choice.left_out > 0) {
        text +=
            fmt::format("  left out: {} of the best, of which no compiled code is there (--compile always)\n",
                        choice.left_out);
    }
    return text;
}

std::string configuration_text(const Prediction& p, bool several_kernels) {
    return several_kernels ? fmt::format("{} {}", p.kernel, p.params) : p.params.empty() ? "-" : p.params;
}

std::string row_text(const std::string& rank, const Candidate& c, const std::string& probability,
                     bool several_kernels) {
    const auto& p = c.shown();
    return fmt::format("{:>4}  {:>9}  {:>9} {:>9} {:>7.1f} {:>7} {:>7.1f}  {:<18}  {}\n", rank,
                       human_time(p.time_seconds), c.simulated ? human_time(c.analytic.time_seconds) : "-",
                       p.flops > 0 ? fmt::format("{:.0f}", p.flops_per_second() / 1e9) : "-", c.loss_pct,
                       probability, 100 * p.occupancy.occupancy, bottleneck_names(p),
                       configuration_text(p, several_kernels));
}

std::string table_text(const TuneView& view, const ShapeChoice& choice) {
    const bool several = view.kernels.size() > 1;
    auto text =
        fmt::format("{:>4}  {:>9}  {:>9} {:>9} {:>7} {:>7} {:>7}  {:<18}  {}\n", "rank", "time", "analytic",
                    "GFLOP/s", "loss %", "best %", "occ. %", "bottleneck", "configuration");
    const auto probability = [&](std::size_t i) {
        return choice.confidence ? fmt::format("{:.1f}", 100 * choice.confidence->odds.best_probability[i])
                                 : std::string("-");
    };
    const auto shown = std::min(view.settings.top, choice.ranked.size());
    for (std::size_t i = 0; i < shown; ++i) {
        const auto& c = choice.ranked[i];
        text += row_text(std::to_string(i + 1), c, probability(i), several);
        if (!c.compiled_code && choice.stages.back().compiled_code) {
            text.insert(text.size() - 1, "  (generated code)");
        }
    }
    for (const auto& d : choice.defaults) {
        const auto rank = default_rank(choice, d);
        if (d.ok() && (rank == 0 || rank > shown)) {
            text += row_text(rank == 0 ? "-" : std::to_string(rank), d,
                             rank == 0 ? "-" : probability(rank - 1), several);
            text.insert(text.size() - 1,
                        d.spills.empty() ? "  (default)" : fmt::format("  (default; {})", d.spills));
        } else if (!d.ok()) {
            const auto& p = is_predicted(d.analytic.status) ? d.shown() : d.analytic;
            text += fmt::format("   -  the default of {} does not run: {}\n", p.kernel, p.reason);
        }
    }
    return text;
}

// Equal times keep the analytic order: the winner may be a trifle slower.
std::string faster_text(double pct, double equal = 0) {
    return std::abs(pct) < equal ? "level"
                                 : fmt::format("{:.1f} % {}", std::abs(pct), pct >= 0 ? "faster" : "slower");
}

// Where one of the two models sees the other in front.
std::string objection(const Candidate& winner, const Candidate& other) {
    const double analytic = 100 * (other.analytic.time_seconds / winner.analytic.time_seconds - 1);
    const double shown = 100 * (other.shown().time_seconds / winner.shown().time_seconds - 1);
    if (!winner.simulated || !other.simulated || (analytic >= 0) == (shown >= 0)) {
        return "";
    }
    return fmt::format(" (simulator {}, analytic model {})", faster_text(shown), faster_text(analytic));
}

std::string against_text(const std::string& whom, const Candidate& winner, const Candidate& other) {
    const double faster = 100 * (other.rank_seconds / winner.rank_seconds - 1);
    return fmt::format("  {:<21}  {}{}: {}\n", "against " + whom, faster_text(faster, equal_pct),
                       objection(winner, other),
                       difference_words(differences(winner.shown(), other.shown())));
}

std::string reasons_text(const ShapeChoice& choice) {
    const auto& winner = choice.ranked.front();
    std::string text;
    if (const auto* d = default_of(choice, winner)) {
        text += default_rank(choice, *d) == 1 ? "  the default tile is the best\n"
                                              : against_text("the default", winner, *d);
    }
    if (choice.ranked.size() > 1) {
        text += against_text("the runner-up", winner, choice.ranked[1]);
    }
    return text;
}

std::string confidence_text(const ShapeChoice& choice) {
    if (!choice.confidence && !choice.stages.empty() && choice.stages.back().compiled_code) {
        return fmt::format("  confidence             by compiled code: {}\n",
                           loss_text(choice.stages.back().expected));
    }
    if (!choice.confidence) {
        return "  confidence             unknown: nothing is measured of how this family's predictions err "
               "on this "
               "generation\n";
    }
    const auto& c = *choice.confidence;
    const auto& losses = c.odds.loss_of_first;
    auto text = fmt::format(
        "  expected loss          {:.1f} % beyond the true best of the {}, which this is with {:.0f} % "
        "(predictions err by "
        "{:.1f} % from one configuration to the next)\n",
        100 * losses.front(), choice.ranked.size(), 100 * c.odds.best_probability.front(), c.sigma_pct);
    if (c.not_told_apart > 0) {
        text += fmt::format(
            "  within the error band  the next {}: measure {}, which leaves an expected loss of {:.1f} %\n",
            c.not_told_apart,
            c.measure_first ? fmt::format("the first {}", *c.measure_first)
                            : fmt::format("at least the first {}", losses.size()),
            100 * losses[c.measure_first.value_or(losses.size()) - 1]);
    }
    return text;
}

std::string choice_text(const TuneView& view, const ShapeChoice& choice) {
    const auto& s = choice.shape;
    auto text = fmt::format("\nM={} N={} K={}: {}", s.m, s.n, s.k, search_text(choice));
    text += stages_text(choice);
    if (choice.ranked.empty()) {
        return text + "  no configuration is valid\n";
    }
    text += '\n' + table_text(view, choice) + '\n' + reasons_text(choice) + confidence_text(choice);
    for (const auto& failure : choice.failed) {
        text += fmt::format("  left out: {}\n", failure);
    }
    return text;
}

}  // namespace

std::string tune_text(const TuneView& view) {
    const auto& arch = view.arch;
    const bool asked_otherwise = !arch.requested_name.empty() && arch.requested_name != arch.name;
    auto text = fmt::format("tune {} on {} ({}, {}{})\n", fmt::join(view.kernels, ", "), arch.marketing_name,
                            arch.name, arch.generation,
                            asked_otherwise ? fmt::format("; asked for {}", arch.requested_name) : "");
    for (const auto& choice : view.choices) {
        text += choice_text(view, choice);
    }
    return text;
}

}  // namespace gpumodel::cli::tuning
