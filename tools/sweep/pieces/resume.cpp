#include "tools/sweep/pieces/resume.h"

#include <fmt/format.h>

#include <fstream>
#include <memory>
#include <utility>

#include "base/units.h"
#include "tools/sweep/pieces/csv_records.h"
#include "tools/sweep/pieces/shard_cell.h"
#include "tools/sweep/sweep_output.h"
#include "tools/views/sweep/sweep_rows.h"

namespace gpumodel::cli {
namespace {

[[noreturn]] void refuse(const SweepPlan& plan, int line, const std::string& what) {
    throw InputError(InputErrorKind::usage, {{plan.output.out, line, line > 0 ? 1 : 0, "--resume", what}});
}

// The cells that name the launch: arch to model.
std::string launch_cells(std::string_view row) {
    constexpr int cells = 7;
    std::size_t end = 0;
    for (int i = 0; i < cells && end != std::string_view::npos; ++i) {
        end = row.find(',', end + (i > 0 ? 1 : 0));
    }
    return std::string(row.substr(0, end));
}

class ResumeReader {
public:
    explicit ResumeReader(const SweepPlan& plan) : plan_(plan), range_(plan.points()) {
        state_.next = range_.begin;
    }

    Resumed read() {
        std::ifstream file(plan_.output.out, std::ios::binary);
        CsvRecords records(file);
        if (!file || !read_header(records)) {
            return state_;
        }
        while (const auto rows = complete_point(records)) {
            take(*rows);
        }
        if (!last_.empty() && last_ != first_) {
            check_values(last_);
        }
        return state_;
    }

private:
    using PointRows = std::vector<CsvRecord>;  // one per model

    bool read_header(CsvRecords& records) {
        const auto expected = sweep_csv_header(plan_.study, plan_.shard.has_value());
        const auto header = records.next();
        if (header && header->text == expected) {
            state_.keep_bytes = header->end;
            return true;
        }
        if (header && (header->complete || expected.rfind(header->text, 0) != 0)) {
            refuse(plan_, header->line,
                   "this file does not begin with the header of this sweep; without --resume it is written "
                   "anew");
        }
        return false;
    }

    std::optional<PointRows> complete_point(CsvRecords& records) const {
        PointRows rows;
        while (static_cast<int>(rows.size()) < plan_.study.models()) {
            auto record = records.next();
            if (!record || !record->complete) {
                return std::nullopt;
            }
            rows.push_back(std::move(*record));
        }
        return rows;
    }

    const ArchPoint& arch_of(std::int64_t point) {
        const auto index = point / plan_.study.points_per_arch();
        if (!arch_ || arch_->index() != index) {
            arch_ = std::make_unique<ArchPoint>(plan_.study, index);
        }
        return *arch_;
    }

    [[nodiscard]] StudyPoint point_at(std::int64_t point) const {
        return study_point(plan_.study, point % plan_.study.points_per_arch());
    }

    // Whether the rows are those of the point, and the swept cells and the shard's stand behind.
    bool matches(const PointRows& rows, std::int64_t point) {
        const auto& arch = arch_of(point);
        const auto keys = row_keys(plan_.study, point_at(point), arch);
        for (std::size_t i = 0; i < rows.size(); ++i) {
            auto tail = keys[i].tail;
            if (plan_.shard) {
                const bool more = i + 1 < rows.size();
                const bool rejected =
                    rows[i].text.find(":rejected", rows[i].text.rfind(',')) != std::string::npos;
                tail.pop_back();
                tail += ',' +
                        to_string(ShardCell{*plan_.shard, state_.next, point, plan_.study.size(),
                                            plan_.identity, rejected, more}) +
                        '\n';
            }
            if (!rows[i].text.starts_with(keys[i].head) || !rows[i].text.ends_with(tail)) {
                return false;
            }
        }
        return true;
    }

    // Points between two rows were rejected, or the row is of another sweep.
    void take(const PointRows& rows) {
        Tally skipped;
        for (auto point = state_.next; point < range_.end; ++point) {
            if (matches(rows, point)) {
                accept(rows, point, skipped);
                return;
            }
            const auto reason = rejection(point);
            if (reason.empty()) {
                const auto key = row_keys(plan_.study, point_at(point), arch_of(point)).front();
                refuse(plan_, rows.front().line,
                       fmt::format("this row is '{}'{}; here this sweep has '{}'",
                                   launch_cells(rows.front().row()), shard_of(rows.front()),
                                   key.head.substr(0, key.head.size() - 1) + swept(key)));
            }
            skipped.reject(reason);
        }
        refuse(plan_, rows.front().line,
               fmt::format("this row is '{}', and this sweep has no further points",
                           launch_cells(rows.front().row())));
    }

    [[nodiscard]] std::string swept(const RowKey& key) const {
        return plan_.study.arch_axes.empty() ? "" : " ... " + key.tail.substr(1, key.tail.size() - 2);
    }

    [[nodiscard]] std::string shard_of(const CsvRecord& record) const {
        const auto row = record.row();
        const auto cell = row.substr(row.rfind(',') + 1);
        return plan_.shard || !plan_.study.arch_axes.empty() ? fmt::format(" ... {}", cell) : "";
    }

    // Why a point has no row; "" if it must have one.
    std::string rejection(std::int64_t point) {
        const auto result = run_point(plan_.study, point, arch_of(point));
        return result.valid() || plan_.keep_invalid ? "" : result.models.front().reason;
    }

    void accept(const PointRows& rows, std::int64_t point, const Tally& skipped) {
        state_.tally.add(skipped);
        count(rows.front(), point);
        last_.clear();
        for (const auto& row : rows) {
            last_ += row.text;
        }
        last_line_ = rows.front().line;
        last_point_ = point;
        last_first_ = state_.next;
        if (first_.empty()) {
            first_ = last_;
            check_values(first_);
        }
        state_.next = point + 1;
        state_.keep_bytes = rows.back().end;
    }

    void count(const CsvRecord& row, std::int64_t point) {
        const auto status = row.row().substr(launch_cells(row.row()).size() + 1);
        if (status.starts_with("infeasible,")) {
            if (!plan_.keep_invalid && !closes_shard(plan_, point)) {
                refuse(plan_, row.line, "this row is infeasible; was the file made with --keep-invalid?");
            }
            state_.tally.reject(run_point(plan_.study, point, arch_of(point)).models.front().reason);
            return;
        }
        ++state_.tally.points;
        ++state_.tally.valid;
        state_.tally.failed += status.starts_with("error,") ? 1 : 0;
    }

    void check_values(const std::string& rows) {
        const Piece piece{{last_point_, last_point_ + 1},
                          std::make_shared<const ArchPoint>(plan_.study, arch_of(last_point_).index())};
        const auto again = run_piece(plan_, piece);
        std::string expected;
        for (const auto& row : again.rows) {
            expected += csv_text(plan_, row, last_first_);
        }
        if (expected != rows) {
            refuse(
                plan_, last_line_,
                "this sweep predicts other values for this row; was the file made with another spec, --set, "
                "--registers, --l2 or version of gpumodel?");
        }
    }

    const SweepPlan& plan_;
    PointRange range_;
    Resumed state_;
    std::unique_ptr<ArchPoint> arch_;
    std::string first_, last_;  // rows that are predicted again
    int last_line_ = 0;
    std::int64_t last_point_ = 0;
    std::int64_t last_first_ = 0;
};

}  // namespace

Resumed read_resumed(const SweepPlan& plan) {
    return ResumeReader(plan).read();
}

}  // namespace gpumodel::cli
