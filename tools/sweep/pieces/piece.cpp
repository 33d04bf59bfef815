#include "tools/sweep/pieces/piece.h"

#include <algorithm>
#include <limits>
#include <map>
#include <tuple>

#include "tools/launch/prediction_below.h"
#include "tools/views/sweep/sweep_rows.h"

namespace gpumodel::cli {
namespace {

struct Candidate {
    SweepRow row;  // without text
    PointResult result;
};

// A prediction that failed has no time to be ranked by.
bool ranked(const PointResult& result) {
    return is_predicted(result.models.front().status);
}

std::string row_text(const SweepPlan& plan, const Candidate& candidate, const ArchPoint& arch) {
    const auto& models = candidate.result.models;
    switch (plan.output.format) {
        case Format::csv:
            return sweep_csv_rows(models, arch);
        case Format::json:
            return sweep_json_items(models, arch);
        case Format::text:
            break;
    }
    return sweep_table_rows(plan.study, candidate.result.point, models);
}

// Keeps the fastest `top` of each shape, in order of the points.
void keep_fastest(std::vector<Candidate>& candidates, std::int64_t top) {
    std::sort(candidates.begin(), candidates.end(), [](const Candidate& a, const Candidate& b) {
        return a.row.shape != b.row.shape ? a.row.shape < b.row.shape : ranks_before(a.row, b.row);
    });
    std::map<std::int64_t, std::int64_t> kept;
    std::erase_if(candidates, [&](const Candidate& c) { return ++kept[c.row.shape] > top; });
}

std::optional<PointResult> point_below(const Study& study, std::int64_t index, const ArchPoint& arch,
                                       double most_seconds) {
    PointResult result{study_point(study, index % study.points_per_arch()), {}};
    const auto launch = lower_point(study, result.point, arch);
    if (!launch.program) {
        result.models = for_each_model(launch.infeasible, study.settings.models);
        return result;
    }
    auto models = predict_launch_below(launch, *arch.spec(), study.settings, most_seconds);
    if (!models) {
        return std::nullopt;
    }
    result.models = *std::move(models);
    return result;
}

void add_point(const SweepPlan& plan, std::int64_t point, const ArchPoint& arch, PointResult result,
               PieceResult& done, std::vector<Candidate>& candidates) {
    Candidate c;
    c.row.point = point;
    c.row.arch = arch.index();
    c.result = std::move(result);
    c.row.shape = c.result.point.shape_index;
    c.row.seconds = c.result.models.front().time_seconds;
    const bool valid = c.result.valid();
    if (valid) {
        ++done.tally.points;
        ++done.tally.valid;
        done.tally.failed += ranked(c.result) ? 0 : 1;
    } else {
        done.tally.reject(c.result.models.front().reason);
    }
    c.row.rejected = !valid && !plan.keep_invalid;
    const bool kept = plan.top > 0 ? ranked(c.result) : !c.row.rejected || closes_shard(plan, point);
    if (kept) {
        candidates.push_back(std::move(c));
    }
}

// What is kept of the candidates.
void write_rows(const SweepPlan& plan, const ArchPoint& arch, std::vector<Candidate>& candidates,
                PieceResult& done) {
    if (plan.top > 0) {
        keep_fastest(candidates, plan.top);
    }
    for (auto& c : candidates) {
        c.row.text = row_text(plan, c, arch);
        done.rows.push_back(std::move(c.row));
    }
}

}  // namespace

bool closes_shard(const SweepPlan& plan, std::int64_t point) {
    return plan.shard && point + 1 == plan.points().end;
}

bool ranks_before(const SweepRow& a, const SweepRow& b) {
    return std::tie(a.seconds, a.point) < std::tie(b.seconds, b.point);
}

std::optional<Piece> PieceCutter::next() {
    // rejected points cost microseconds, simulated ones up to a second
    const std::int64_t length = plan_.study.settings.models == ModelChoice::analytic ? 64 : 1;
    if (left_.begin >= left_.end) {
        return std::nullopt;
    }
    const auto per_arch = plan_.study.points_per_arch();
    const auto arch = left_.begin / per_arch;
    if (!arch_ || arch_->index() != arch) {
        arch_ = std::make_shared<const ArchPoint>(plan_.study, arch);
    }
    const auto end = std::min({left_.end, (arch + 1) * per_arch, left_.begin + length});
    Piece piece{{left_.begin, end}, arch_};
    left_.begin = end;
    return piece;
}

PointResult run_point(const Study& study, std::int64_t index, const ArchPoint& arch) {
    return *point_below(study, index, arch, std::numeric_limits<double>::infinity());
}

PieceResult run_piece(const SweepPlan& plan, const Piece& piece) {
    PieceResult done{piece.points, {}, {}};
    std::vector<Candidate> candidates;
    for (auto point = piece.points.begin; point < piece.points.end; ++point) {
        add_point(plan, point, *piece.arch, run_point(plan.study, point, *piece.arch), done, candidates);
    }
    write_rows(plan, *piece.arch, candidates, done);
    return done;
}

std::optional<PieceResult> run_point_below(const SweepPlan& plan, std::int64_t point, const ArchPoint& arch,
                                           double most_seconds) {
    auto result = point_below(plan.study, point, arch, most_seconds);
    if (!result) {
        return std::nullopt;
    }
    PieceResult done{{point, point + 1}, {}, {}};
    std::vector<Candidate> candidates;
    add_point(plan, point, arch, *std::move(result), done, candidates);
    write_rows(plan, arch, candidates, done);
    return done;
}

}  // namespace gpumodel::cli
