#include "tools/tune/search.h"

#include <fmt/format.h>

#include <algorithm>
#include <mutex>

#include "tools/cli/parallel_runs.h"
#include "tools/launch/code_options.h"
#include "tools/tune/compiled_first.h"
#include "tools/tune/spills.h"

namespace gpumodel::cli::tuning {
namespace {

struct ValidPoint {
    double seconds = 0;
    std::size_t grid = 0;
    std::int64_t point = 0;
};

// The point's program, or why it has none; a derived parameter that is not the one asked for is a reason.
LaunchProgram lower_point(const Grid& grid, const PredictionJob& job, const ArchSpec& arch,
                          const std::shared_ptr<const ProgramProvider>& code) {
    const auto& family = *find_family(grid.kernel);
    const auto params = resolve_params(family, job.params);
    const auto refusal = grid.refusal(params);
    LaunchResources resources;
    resources.provider = family.generated ? nullptr : code;
    return refusal.empty() ? lower_job(job, arch, resources)
                           : infeasible_launch(arch.name, family, params, grid.shapes.front(), refusal);
}

// Every point of one grid; what is valid joins `points`, in the grid's order.
void enumerate(const Grid& grid, std::size_t index, const ArchSpec& arch, const SearchSettings& settings,
               ShapeChoice& choice, std::vector<ValidPoint>& points) {
    const auto count = static_cast<std::size_t>(grid.points_per_arch());
    std::vector<double> seconds(count);  // 0 = not valid
    std::mutex mutex;
    parallel_runs(settings.threads)(count, [&](std::size_t i) {
        const auto job = grid.job(static_cast<std::int64_t>(i));
        const auto launch = lower_point(grid, job, arch, settings.code_of_all);
        auto reason = launch.program ? spill_reason(job, arch) : launch.infeasible.reason;
        if (reason.empty()) {
            const auto p = predict_analytic(*launch.program, arch, {settings.l2});
            seconds[i] = is_predicted(p.status) ? p.time_seconds : 0;
            reason = p.reason;
        }
        if (seconds[i] <= 0) {
            const std::lock_guard lock(mutex);
            choice.tally.reject(reason);
        }
    });
    for (std::size_t i = 0; i < count; ++i) {
        if (seconds[i] > 0) {
            ++choice.tally.points;
            ++choice.tally.valid;
            points.push_back({seconds[i], index, static_cast<std::int64_t>(i)});
        }
    }
}

std::vector<PredictionJob> best_jobs(const std::vector<Grid>& grids, const ArchSpec& arch,
                                     const SearchSettings& settings, ShapeChoice& choice) {
    std::vector<ValidPoint> points;
    for (std::size_t g = 0; g < grids.size(); ++g) {
        enumerate(grids[g], g, arch, settings, choice, points);
    }
    std::stable_sort(points.begin(), points.end(),
                     [](const ValidPoint& a, const ValidPoint& b) { return a.seconds < b.seconds; });
    points.resize(std::min(points.size(), settings.refine));
    std::vector<PredictionJob> jobs;
    jobs.reserve(points.size());
    for (const auto& p : points) {
        jobs.push_back(grids[p.grid].job(p.point));
    }
    return jobs;
}

Candidate predict_candidate(const PredictionJob& job, const ArchSpec& arch, const SearchSettings& settings,
                            const std::shared_ptr<const ProgramProvider>& code) {
    PredictSettings predict;
    predict.models = settings.ranked_by == RankedBy::analytic ? ModelChoice::analytic : ModelChoice::both;
    predict.simulate.l2 = settings.l2;
    predict.resources.provider = code;
    auto predictions = predict_launch(lower_job(job, arch, predict.resources), arch, predict);
    Candidate c;
    c.job = job;
    c.spills = spill_reason(job, arch);
    c.analytic = std::move(predictions.back());
    if (predictions.size() > 1) {
        c.simulated = std::move(predictions.front());
    }
    const auto source = c.analytic.program_source;
    c.compiled_code = source && is_compiled(*source);
    return c;
}

RankTimes times_of(const Candidate& c) {
    return {c.analytic.time_seconds, c.simulated ? std::optional(c.simulated->time_seconds) : std::nullopt};
}

// The sound ones of `refined` in rank order.
void rank(std::vector<Candidate> refined, RankedBy ranked_by, ShapeChoice& choice) {
    std::vector<RankTimes> times;
    std::vector<Candidate*> sound;
    for (auto& c : refined) {
        if (c.ok()) {
            times.push_back(times_of(c));
            sound.push_back(&c);
        } else {
            const auto& p = is_predicted(c.analytic.status) ? *c.simulated : c.analytic;
            choice.failed.push_back(fmt::format("{} {}: {}", p.kernel, p.params, p.reason));
        }
    }
    for (const auto i : rank_order(times, ranked_by)) {
        choice.ranked.push_back(std::move(*sound[i]));
        choice.ranked.back().rank_seconds = rank_time(times[i], ranked_by);
    }
}

// Times by generated and by compiled code do not compare: each kind is measured by its own best.
void set_losses(ShapeChoice& choice, RankedBy ranked_by, double best_generated) {
    for (auto& c : choice.defaults) {
        c.rank_seconds = c.ok() ? rank_time(times_of(c), ranking_of(ranked_by, c.compiled_code)) : 0;
    }
    for (auto* list : {&choice.ranked, &choice.defaults}) {
        for (auto& c : *list) {
            const double best = c.compiled_code && !choice.ranked.empty() ? choice.ranked.front().rank_seconds
                                                                          : best_generated;
            c.loss_pct = c.ok() ? std::max(0.0, 100 * (c.rank_seconds / best - 1)) : 0;
        }
    }
}

// The family's own configuration lies on the grid: what was pinned leaves it as it is.
bool holds_default(const Grid& grid) {
    const auto defaults = resolve_params(*find_family(grid.kernel), grid.asked_words());
    return grid.refusal(defaults).empty() &&
           std::all_of(grid.params.begin(), grid.params.end(), [&](const ParamAxis& axis) {
               return std::find(axis.values.begin(), axis.values.end(), defaults.at(axis.key)) !=
                      axis.values.end();
           });
}

// Defaults that are on their grid compete, so that nothing is recommended that is predicted to be slower.
// Beside compiled code only those that have it.
void add_defaults(const std::vector<Grid>& grids, const std::vector<Candidate>& defaults, bool compiled,
                  std::vector<Candidate>& refined) {
    for (std::size_t i = 0; i < grids.size(); ++i) {
        const auto& d = defaults[i];
        const bool there = std::any_of(refined.begin(), refined.end(), [&](const Candidate& c) {
            return c.job.kernel == d.job.kernel && c.analytic.params == d.analytic.params;
        });
        if (!there && d.ok() && (d.compiled_code || !compiled) && holds_default(grids[i]) &&
            d.spills.empty()) {
            refined.push_back(d);
        }
    }
}

bool is_default(const Candidate& c, const std::vector<Candidate>& defaults) {
    return std::any_of(defaults.begin(), defaults.end(), [&c](const Candidate& d) {
        return c.job.kernel == d.job.kernel && c.analytic.params == d.analytic.params;
    });
}

void add_stage(const ArchSpec& arch, const SearchExperience& experience, RankedBy ranked_by, bool compiled,
               const std::vector<std::size_t>& before, ShapeChoice& choice) {
    SearchStage stage{ranked_by, compiled, before.size(), 0, 0, {}};
    if (!choice.stages.empty()) {
        compare_orders(before, stage);
    }
    stage.expected = expected_regret(experience.regrets, arch.generation, ranked_by, compiled);
    choice.stages.push_back(stage);
}

// The best ones, and the defaults among the ranked, with the code of a compiler; nothing where it has none.
std::vector<Candidate> with_compiled_code(ShapeChoice& choice, const ArchSpec& arch,
                                          const SearchSettings& settings) {
    std::vector<std::size_t> best;
    for (std::size_t i = 0; i < choice.ranked.size(); ++i) {
        if (i < most_compiled || is_default(choice.ranked[i], choice.defaults)) {
            best.push_back(i);
        }
    }
    std::vector<Candidate> candidates(best.size());
    parallel_runs(settings.threads)(best.size(), [&](std::size_t i) {
        const auto& from = choice.ranked[best[i]];
        auto& c = candidates[i] = predict_candidate(from.job, arch, settings, settings.code_of_best);
        c.analytic_rank = from.analytic_rank;
        c.generated_rank = from.generated_rank;
    });
    std::erase_if(candidates, [](const Candidate& c) { return !c.compiled_code || !c.ok(); });
    return candidates;
}

// Puts what has compiled code in front, in the order of that code alone.
void rank_by_compiled_code(const ArchSpec& arch, const SearchSettings& settings,
                           const SearchExperience& experience, ShapeChoice& choice) {
    const auto finalists = std::min(most_compiled, choice.ranked.size());
    auto compiled = with_compiled_code(choice, arch, settings);
    if (2 * compiled.size() < finalists) {
        choice.without_compiled =
            fmt::format("compiled code is there for {} of the best {}",
                        compiled.empty() ? "none" : std::to_string(compiled.size()), finalists);
        return;
    }
    std::vector<RankTimes> times;
    times.reserve(compiled.size());
    for (const auto& c : compiled) {
        times.push_back(times_of(c));
    }
    const auto ranked_by = ranking_of(settings.ranked_by, true);
    std::vector<Candidate> order;
    std::vector<std::size_t> before;
    for (const auto i : rank_order(times, ranked_by)) {
        order.push_back(compiled[i]);
        order.back().rank_seconds = rank_time(times[i], ranked_by);
        before.push_back(compiled[i].generated_rank);
    }
    for (auto& d : choice.defaults) {
        const auto found =
            std::find_if(order.begin(), order.end(), [&d](const Candidate& c) { return is_default(c, {d}); });
        if (found == order.end()) {
            auto c = predict_candidate(d.job, arch, settings, settings.code_of_best);
            d = c.compiled_code ? std::move(c) : std::move(d);
        } else {
            d = *found;
        }
    }
    for (auto& c : choice.ranked) {
        if (!is_default(c, order)) {
            order.push_back(std::move(c));
        }
    }
    choice.ranked = std::move(order);
    add_stage(arch, experience, ranked_by, true, before, choice);
}

// The order by the models on the code that the candidates have: a compiler's, or generated.
void rank_refined(std::vector<Candidate> candidates, bool compiled, const ArchSpec& arch,
                  const SearchSettings& settings, const SearchExperience& experience, ShapeChoice& choice) {
    const auto ranked_by = ranking_of(settings.ranked_by, compiled);
    add_stage(arch, experience, RankedBy::analytic, settings.code_of_all != nullptr,
              std::vector<std::size_t>(static_cast<std::size_t>(choice.tally.valid)), choice);
    rank(std::move(candidates), ranked_by, choice);
    std::vector<std::size_t> before;
    for (std::size_t i = 0; i < choice.ranked.size(); ++i) {
        choice.ranked[i].generated_rank = compiled ? 0 : i + 1;
        before.push_back(choice.ranked[i].analytic_rank);
    }
    if (ranked_by != RankedBy::analytic || compiled != choice.stages.back().compiled_code) {
        add_stage(arch, experience, ranked_by, compiled, before, choice);
    }
}

// Each by its own code, where compiled code comes first; what competes and has none is not predicted.
std::vector<Candidate> predicted(const std::vector<PredictionJob>& jobs,
                                 const std::vector<std::shared_ptr<const ProgramProvider>>& code,
                                 std::size_t competing, const ArchSpec& arch,
                                 const SearchSettings& settings) {
    std::vector<Candidate> candidates(jobs.size());
    parallel_runs(settings.threads)(jobs.size(), [&](std::size_t i) {
        if (code.empty()) {
            candidates[i] = predict_candidate(jobs[i], arch, settings, settings.code_of_all);
        } else if (code[i] && (i >= competing || has_code(jobs[i], arch, *code[i]))) {
            candidates[i] = predict_candidate(jobs[i], arch, settings, code[i]);
        }
        candidates[i].analytic_rank = i < competing ? i + 1 : 0;
    });
    return candidates;
}

}  // namespace

ShapeChoice choose_configuration(const std::vector<Grid>& families, const ProblemShape& shape,
                                 const ArchSpec& arch, const SearchSettings& settings,
                                 const SearchExperience& measured) {
    ShapeChoice choice;
    choice.shape = shape;
    auto grids = families;
    // What is known of losses was measured on families with a generator.
    const bool known = std::all_of(grids.begin(), grids.end(),
                                   [](const Grid& grid) { return find_family(grid.kernel)->generated; });
    const auto experience = known ? measured : SearchExperience{measured.spreads, {}};
    for (auto& grid : grids) {
        grid.shapes = {shape};
    }
    auto jobs = best_jobs(grids, arch, settings, choice);
    const auto refined = jobs.size();
    for (const auto& grid : grids) {
        jobs.push_back({grid.kernel, grid.asked_words(), shape.m, shape.n, shape.k});
    }
    const auto code = compiled_code_of(jobs, refined, arch, settings);
    auto candidates = predicted(jobs, code, refined, arch, settings);
    const auto first_default = candidates.begin() + static_cast<std::ptrdiff_t>(refined);
    choice.defaults.assign(std::make_move_iterator(first_default), std::make_move_iterator(candidates.end()));
    candidates.resize(refined);
    const bool compiled_first = !code.empty();
    if (compiled_first) {
        choice.left_out = std::erase_if(candidates, [](const Candidate& c) { return !c.compiled_code; });
    }
    add_defaults(grids, choice.defaults, compiled_first, candidates);
    rank_refined(std::move(candidates), compiled_first || settings.code_of_all, arch, settings, experience,
                 choice);
    const double best = choice.ranked.empty() ? 0 : choice.ranked.front().rank_seconds;
    if (!compiled_first && settings.code_of_best && !choice.ranked.empty()) {
        rank_by_compiled_code(arch, settings, experience, choice);
    } else if (!compiled_first && !settings.code_of_all) {
        choice.without_compiled = "no other was asked for";
    }
    set_losses(choice, settings.ranked_by, best);
    if (!choice.stages.back().compiled_code) {
        std::vector<RankedTime> ranked;
        for (const auto& c : choice.ranked) {
            ranked.push_back({c.job.kernel, c.rank_seconds});
        }
        choice.confidence =
            confidence_of(ranked, shape, arch, settings.ranked_by, settings.top, experience.spreads);
    }
    return choice;
}

}  // namespace gpumodel::cli::tuning
