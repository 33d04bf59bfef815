#include "tools/sweep/sweep_best.h"

#include <oneapi/tbb/global_control.h>
#include <oneapi/tbb/info.h>
#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/task_arena.h>

#include <algorithm>
#include <limits>
#include <map>

#include "model/sim/shared_runs.h"
#include "tools/launch/best_times.h"
#include "tools/launch/prediction_below.h"

namespace gpumodel::cli {
namespace {

constexpr std::int64_t points_at_once = 1 << 16;  // so that memory stays bounded
constexpr std::size_t glances_at_once = 1024;
constexpr std::size_t round_size = 64;

struct RankedPoint {
    std::int64_t point = 0;
    std::int64_t shape = 0;
    double seconds = 0;  // by the analytic model, then by a glance; infinite where that fails
    double least_seconds = 0;
};

void rank(std::vector<RankedPoint>& points) {
    std::sort(points.begin(), points.end(), [](const RankedPoint& a, const RankedPoint& b) {
        return a.seconds != b.seconds ? a.seconds < b.seconds : a.point < b.point;
    });
}

class BestRun {
public:
    BestRun(const SweepPlan& plan, const std::function<bool()>& go_on,
            const std::function<void(PieceResult&&)>& take)
        : plan_(plan),
          go_on_(go_on),
          take_(take),
          threads_(plan.threads > 0 ? plan.threads : oneapi::tbb::info::default_concurrency()),
          limit_(oneapi::tbb::global_control::max_allowed_parallelism, static_cast<std::size_t>(threads_)),
          arena_(threads_) {}

    std::int64_t run(PointRange range) {
        const auto per_arch = plan_.study.points_per_arch();
        while (range.begin < range.end && go_on_()) {
            const auto index = range.begin / per_arch;
            if (!arch_ || arch_->index() != index) {
                arch_.emplace(plan_.study, index);
                best_.clear();
                shared_.emplace();
                plan_.study.settings.simulate.shared = &*shared_;
            }
            const auto end = std::min({range.end, (index + 1) * per_arch, range.begin + points_at_once});
            search(ranked({range.begin, end}));
            range.begin = end;
        }
        return stopped_;
    }

private:
    template <class Work>
    void for_each(std::size_t count, const Work& work) {
        arena_.execute([&] { oneapi::tbb::parallel_for(std::size_t{0}, count, work); });
    }

    // The valid points, fastest first; the others are in the tally then.
    std::vector<RankedPoint> ranked(PointRange range) {
        auto settings = plan_.study.settings;
        settings.models = ModelChoice::analytic;
        std::vector<RankedPoint> points(static_cast<std::size_t>(range.end - range.begin));
        std::vector<std::string> reasons(points.size());
        for_each(points.size(), [&](std::size_t i) {
            const auto at = range.begin + static_cast<std::int64_t>(i);
            const auto point = study_point(plan_.study, at % plan_.study.points_per_arch());
            const auto launch = lower_point(plan_.study, point, *arch_);
            points[i] = {at, point.shape_index, std::numeric_limits<double>::infinity(), 0};
            const auto p =
                launch.program ? predict_launch(launch, *arch_->spec(), settings).front() : launch.infeasible;
            points[i].seconds = is_predicted(p.status) ? p.time_seconds : points[i].seconds;
            reasons[i] = p.status == Status::infeasible ? p.reason : "";
        });
        PieceResult rejected;
        std::vector<RankedPoint> valid;
        for (std::size_t i = 0; i < points.size(); ++i) {
            if (reasons[i].empty()) {
                valid.push_back(points[i]);
            } else {
                rejected.tally.reject(reasons[i]);
            }
        }
        rejected.points.end = rejected.tally.points;
        take_(std::move(rejected));
        rank(valid);
        return valid;
    }

    void search(const std::vector<RankedPoint>& points) {
        for (std::size_t begin = 0; begin < points.size() && go_on_(); begin += glances_at_once) {
            const auto end = std::min(begin + glances_at_once, points.size());
            std::vector<RankedPoint> some(points.begin() + static_cast<std::ptrdiff_t>(begin),
                                          points.begin() + static_cast<std::ptrdiff_t>(end));
            if (points.size() > round_size && !plan_.study.settings.simulate.exact) {
                glance(some);
            }
            simulate(some);
        }
    }

    // The points by what the beginnings of their simulations show.
    void glance(std::vector<RankedPoint>& points) {
        for_each(points.size(), [&](std::size_t i) {
            auto& p = points[i];
            const auto point = study_point(plan_.study, p.point % plan_.study.points_per_arch());
            const auto launch = lower_point(plan_.study, point, *arch_);
            const auto seen = glance_at_launch(launch, *arch_->spec(), plan_.study.settings);
            p.seconds = seen.expected_seconds;
            p.least_seconds = seen.least_seconds;
        });
        rank(points);
    }

    void simulate(const std::vector<RankedPoint>& points) {
        for (std::size_t begin = 0; begin < points.size() && go_on_(); begin += round_size) {
            const auto end = std::min(begin + round_size, points.size());
            std::vector<std::optional<PieceResult>> results(end - begin);
            // equal programs come one after the other, and the later ones take the first's run
            for_each(results.size(), [&](std::size_t first) {
                const auto seconds = [&](std::size_t i) { return points[begin + i].seconds; };
                if (first > 0 && seconds(first) == seconds(first - 1)) {
                    return;
                }
                for (auto i = first; i < results.size() && seconds(i) == seconds(first); ++i) {
                    const auto& p = points[begin + i];
                    const auto limit = best_of(p.shape);
                    if (p.least_seconds <= limit) {
                        results[i] = run_point_below(plan_, p.point, *arch_, limit);
                    }
                }
            });
            PieceResult round;
            for (std::size_t i = 0; i < results.size(); ++i) {
                add(std::move(results[i]), points[begin + i], round);
            }
            round.points.end = round.tally.points;
            take_(std::move(round));
        }
    }

    void add(std::optional<PieceResult> result, const RankedPoint& point, PieceResult& round) {
        if (!result) {
            ++stopped_;
            ++round.tally.points;
            ++round.tally.valid;
            return;
        }
        round.tally.add(result->tally);
        for (auto& row : result->rows) {
            const auto keep = std::max(fewest_kept, static_cast<std::size_t>(plan_.top));
            best_.try_emplace(point.shape, keep).first->second.add(row.seconds);
            round.rows.push_back(std::move(row));
        }
    }

    // Only looked up while a round runs.
    [[nodiscard]] double best_of(std::int64_t shape) const {
        const auto found = best_.find(shape);
        return found == best_.end() ? std::numeric_limits<double>::infinity() : found->second.limit();
    }

    SweepPlan plan_;
    const std::function<bool()>& go_on_;
    const std::function<void(PieceResult&&)>& take_;
    const int threads_;
    oneapi::tbb::global_control limit_;  // of more threads than cores too
    oneapi::tbb::task_arena arena_;
    std::optional<ArchPoint> arch_;
    std::optional<SharedRuns> shared_;        // of its launches
    std::map<std::int64_t, BestTimes> best_;  // by shape
    std::int64_t stopped_ = 0;
};

}  // namespace

std::int64_t run_best(const SweepPlan& plan, PointRange range, const std::function<bool()>& go_on,
                      const std::function<void(PieceResult&&)>& take) {
    return BestRun(plan, go_on, take).run(range);
}

}  // namespace gpumodel::cli
