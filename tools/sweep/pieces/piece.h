// A stretch of a sweep's points, and what they come to: the unit of work of threads and of MPI ranks.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "tools/sweep/study.h"
#include "tools/sweep/tally.h"

namespace gpumodel::cli {

struct SweepPlan {
    Study study;
    OutputOptions output;
    std::int64_t top = 0;  // 0 = all
    std::optional<Shard> shard;
    std::string identity;  // study_identity
    bool resume = false;
    bool keep_invalid = false;
    int threads = 0;  // 0 = all cores

    [[nodiscard]] PointRange points() const {
        return shard ? shard_range(*shard, study.size()) : PointRange{0, study.size()};
    }
};

// Points of one combination of spec values.
struct Piece {
    PointRange points;
    std::shared_ptr<const ArchPoint> arch;
};

// One point in the output.
struct SweepRow {
    std::int64_t point = 0;
    std::int64_t arch = 0;   // index of its ArchPoint
    std::int64_t shape = 0;  // index of its shape
    double seconds = 0;      // predicted; what --top ranks by
    bool rejected = false;   // the closing row of a shard, which a merge leaves out
    std::string text;        // in the output's format
};

struct PieceResult {
    PointRange points;
    std::vector<SweepRow> rows;  // by point; with --top the fastest of each shape only
    Tally tally;
};

// The pieces of a range in order, cut at fixed points of the range: every rank cuts alike.
class PieceCutter {
public:
    PieceCutter(const SweepPlan& plan, PointRange range) : plan_(plan), left_(range) {}
    [[nodiscard]] std::optional<Piece> next();

private:
    const SweepPlan& plan_;
    PointRange left_;
    std::shared_ptr<const ArchPoint> arch_;
};

[[nodiscard]] PieceResult run_piece(const SweepPlan& plan, const Piece& piece);

// One point of a plan that keeps the fastest, as run_piece would; nothing if the simulation was stopped
// because it takes longer than `most_seconds` (prediction_below.h).
[[nodiscard]] std::optional<PieceResult> run_point_below(const SweepPlan& plan, std::int64_t point,
                                                         const ArchPoint& arch, double most_seconds);

// One point's predictions, as they would stand in its rows.
struct PointResult {
    StudyPoint point;
    std::vector<Prediction> models;
    [[nodiscard]] bool valid() const { return models.front().status != Status::infeasible; }
};
[[nodiscard]] PointResult run_point(const Study& study, std::int64_t index, const ArchPoint& arch);

// The last point of a shard has a row even if a rule rejects it, so that a cut shard can be told from a whole
// one.
[[nodiscard]] bool closes_shard(const SweepPlan& plan, std::int64_t point);

// Faster first, the grid's order among equals.
[[nodiscard]] bool ranks_before(const SweepRow& a, const SweepRow& b);

}  // namespace gpumodel::cli
