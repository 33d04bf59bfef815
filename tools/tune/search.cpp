#include "tools/tune/search.h"

#include <fmt/format.h>

#include <algorithm>
#include <mutex>

#include "tools/cli/parallel_runs.h"
#include "tools/tune/spills.h"

namespace gpumodel::cli::tuning {
namespace {

struct ValidPoint {
    double seconds = 0;
    std::size_t grid = 0;
    std::int64_t point = 0;
};

// The point's program, or why it has none; a derived parameter that is not the one asked for is a reason.
LaunchProgram lower_point(const Grid& grid, const PredictionJob& job, const ArchSpec& arch) {
    const auto& family = *find_family(grid.kernel);
    const auto params = resolve_params(family, job.params);
    const auto refusal = grid.refusal(params);
    return refusal.empty() ? lower_job(job, arch, {})
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
        const auto launch = lower_point(grid, job, arch);
        auto reason = launch.program ? spill_reason(job, arch) : launch.infeasible.reason;
        if (reason.empty()) {
            const auto p = predict_analytic(*launch.program, arch, {settings.l2});
            seconds[i] = p.status == Status::ok ? p.time_seconds : 0;
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

Candidate predict_candidate(const PredictionJob& job, const ArchSpec& arch, const SearchSettings& settings) {
    PredictSettings predict;
    predict.models = settings.ranked_by == RankedBy::analytic ? ModelChoice::analytic : ModelChoice::both;
    predict.simulate.l2 = settings.l2;
    auto predictions = predict_launch(lower_job(job, arch, {}), arch, predict);
    Candidate c;
    c.job = job;
    c.spills = spill_reason(job, arch);
    c.analytic = std::move(predictions.back());
    if (predictions.size() > 1) {
        c.simulated = std::move(predictions.front());
    }
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
            const auto& p = c.analytic.status == Status::ok ? *c.simulated : c.analytic;
            choice.failed.push_back(fmt::format("{} {}: {}", p.kernel, p.params, p.reason));
        }
    }
    for (const auto i : rank_order(times, ranked_by)) {
        choice.ranked.push_back(std::move(*sound[i]));
        choice.ranked.back().rank_seconds = rank_time(times[i], ranked_by);
    }
}

void set_losses(ShapeChoice& choice, RankedBy ranked_by) {
    for (auto& c : choice.defaults) {
        c.rank_seconds = c.ok() ? rank_time(times_of(c), ranked_by) : 0;
    }
    if (choice.ranked.empty()) {
        return;
    }
    const double best = choice.ranked.front().rank_seconds;
    for (auto* list : {&choice.ranked, &choice.defaults}) {
        for (auto& c : *list) {
            c.loss_pct = c.ok() ? std::max(0.0, 100 * (c.rank_seconds / best - 1)) : 0;
        }
    }
}

// The family's own configuration lies on the grid: what was pinned leaves it as it is.
bool holds_default(const Grid& grid) {
    const auto defaults = resolve_params(*find_family(grid.kernel), {});
    return grid.refusal(defaults).empty() &&
           std::all_of(grid.params.begin(), grid.params.end(), [&](const ParamAxis& axis) {
               return std::find(axis.values.begin(), axis.values.end(), defaults.at(axis.key)) !=
                      axis.values.end();
           });
}

// Defaults that are on their grid compete, so that nothing is recommended that is predicted to be slower.
void add_defaults(const std::vector<Grid>& grids, const std::vector<Candidate>& defaults,
                  std::vector<Candidate>& refined) {
    for (std::size_t i = 0; i < grids.size(); ++i) {
        const auto& d = defaults[i];
        const bool there = std::any_of(refined.begin(), refined.end(), [&](const Candidate& c) {
            return c.job.kernel == d.job.kernel && c.analytic.params == d.analytic.params;
        });
        if (!there && d.ok() && holds_default(grids[i]) && d.spills.empty()) {
            refined.push_back(d);
        }
    }
}

}  // namespace

ShapeChoice choose_configuration(const std::vector<Grid>& families, const ProblemShape& shape,
                                 const ArchSpec& arch, const SearchSettings& settings,
                                 const RankSpreads& spreads) {
    ShapeChoice choice;
    choice.shape = shape;
    auto grids = families;
    for (auto& grid : grids) {
        grid.shapes = {shape};
    }
    auto jobs = best_jobs(grids, arch, settings, choice);
    const auto refined = jobs.size();
    for (const auto& grid : grids) {
        jobs.push_back({grid.kernel, {}, shape.m, shape.n, shape.k});
    }
    std::vector<Candidate> candidates(jobs.size());
    parallel_runs(settings.threads)(
        jobs.size(), [&](std::size_t i) { candidates[i] = predict_candidate(jobs[i], arch, settings); });
    const auto first_default = candidates.begin() + static_cast<std::ptrdiff_t>(refined);
    choice.defaults.assign(std::make_move_iterator(first_default), std::make_move_iterator(candidates.end()));
    candidates.resize(refined);
    add_defaults(grids, choice.defaults, candidates);
    rank(std::move(candidates), settings.ranked_by, choice);
    set_losses(choice, settings.ranked_by);
    std::vector<RankedTime> ranked;
    for (const auto& c : choice.ranked) {
        ranked.push_back({c.job.kernel, c.rank_seconds});
    }
    choice.confidence = confidence_of(ranked, shape, arch, settings.ranked_by, settings.top, spreads);
    return choice;
}

}  // namespace gpumodel::cli::tuning
