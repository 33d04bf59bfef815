#include "tools/sweep/sweep_output.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "tools/sweep/pieces/shard_cell.h"
#include "tools/views/prediction/prediction_json.h"
#include "tools/views/result_json.h"
#include "tools/views/sweep/sweep_rows.h"

namespace gpumodel::cli {
namespace {

class Rows : public SweepOutput {
public:
    Rows(const SweepPlan& plan, bool continues) : plan_(plan), stream_(plan.output, continues) {}
    [[nodiscard]] bool good() const override { return stream_.good(); }

protected:
    // Whatever the format, one row behind the other.
    void write_rows(const std::vector<SweepRow>& rows) {
        std::string text;
        for (const auto& row : rows) {
            text += placed(row);
        }
        if (!text.empty()) {
            stream_.write(text);
        }
    }
    [[nodiscard]] virtual std::string placed(const SweepRow& row) = 0;
    [[nodiscard]] const SweepPlan& plan() const { return plan_; }
    [[nodiscard]] OutputStream& stream() { return stream_; }

private:
    const SweepPlan& plan_;
    OutputStream stream_;
};

class CsvRows : public Rows {
public:
    CsvRows(const SweepPlan& plan, std::int64_t begin, bool continues) : Rows(plan, continues), next_(begin) {
        if (!continues) {
            stream().write(sweep_csv_header(plan.study, plan.shard.has_value()));
        }
    }
    void take(PieceResult&& piece) override { write_rows(piece.rows); }
    void finish(const Tally& /*tally*/, bool /*interrupted*/) override {}

protected:
    std::string placed(const SweepRow& row) override {
        return csv_text(plan(), row, std::exchange(next_, row.point + 1));
    }

private:
    std::int64_t next_;  // first point that no row accounts for
};

class JsonRows : public Rows {
public:
    JsonRows(const SweepPlan& plan, const ArchSpec& base) : Rows(plan, false) {
        stream().write(json_list_opening(predictions_head(report_metadata(base)), "predictions"));
    }
    void take(PieceResult&& piece) override { write_rows(piece.rows); }
    void finish(const Tally& tally, bool interrupted) override {
        nlohmann::ordered_json tail = nlohmann::ordered_json::object();
        if (interrupted) {
            tail["interrupted"] = true;
        }
        tail["points"] = tally.points;
        tail["valid"] = tally.valid;
        tail["rejected"] = nlohmann::ordered_json::object();
        for (const auto& [rule, count] : tally.rules) {
            tail["rejected"][rule] = count;
        }
        stream().write(json_list_closing(any_, tail));
    }

protected:
    std::string placed(const SweepRow& row) override {
        return (std::exchange(any_, true) ? "," : "") + row.text;
    }

private:
    bool any_ = false;
};

class TextRows : public Rows {
public:
    TextRows(const SweepPlan& plan, const ArchSpec& base) : Rows(plan, false) {
        stream().write(fmt::format("the fastest {} of each shape on {} [{}]\n", plan.top, base.marketing_name,
                                   base.generation));
    }
    void take(PieceResult&& piece) override { write_rows(piece.rows); }
    void finish(const Tally& tally, bool interrupted) override {
        stream().write("\n" + tally_text(tally) + (interrupted ? "interrupted\n" : ""));
    }

protected:
    std::string placed(const SweepRow& row) override {
        std::string text;
        if (row.arch != arch_ || row.shape != shape_) {
            text = heading(row);
            rank_ = 0;
        }
        arch_ = row.arch;
        shape_ = row.shape;
        return text + fmt::format("  {:>4}", ++rank_) + row.text;
    }

private:
    [[nodiscard]] std::string heading(const SweepRow& row) const {
        const auto& study = plan().study;
        const auto point = study_point(study, row.point % study.points_per_arch());
        std::string text = fmt::format("\nM={} N={} K={}", point.shape.m, point.shape.n, point.shape.k);
        const ArchPoint arch(study, row.arch);
        for (const auto& item : arch.overrides()) {
            text += fmt::format("  {}={}", item.key, item.value);
        }
        return text + "\n" + sweep_table_header(study);
    }
    std::int64_t arch_ = -1;
    std::int64_t shape_ = -1;
    std::int64_t rank_ = 0;
};

// Holds back the fastest of each shape until the points of their spec values are through.
class Fastest : public SweepOutput {
public:
    Fastest(std::unique_ptr<SweepOutput> rows, std::int64_t top) : rows_(std::move(rows)), top_(top) {}
    [[nodiscard]] bool good() const override { return rows_->good(); }

    void take(PieceResult&& piece) override {
        for (auto& row : piece.rows) {
            if (row.arch != arch_) {
                flush();
                arch_ = row.arch;
            }
            insert(std::move(row));
        }
    }
    void finish(const Tally& tally, bool interrupted) override {
        flush();
        rows_->finish(tally, interrupted);
    }

private:
    // Each list is a heap with its slowest row in front.
    void insert(SweepRow row) {
        auto& heap = fastest_[row.shape];
        heap.push_back(std::move(row));
        std::push_heap(heap.begin(), heap.end(), ranks_before);
        if (static_cast<std::int64_t>(heap.size()) > top_) {
            std::pop_heap(heap.begin(), heap.end(), ranks_before);
            heap.pop_back();
        }
    }
    void flush() {
        PieceResult all;
        for (auto& [shape, heap] : fastest_) {
            std::sort_heap(heap.begin(), heap.end(), ranks_before);
            std::move(heap.begin(), heap.end(), std::back_inserter(all.rows));
        }
        fastest_.clear();
        rows_->take(std::move(all));
    }

    std::unique_ptr<SweepOutput> rows_;
    std::int64_t top_;
    std::int64_t arch_ = -1;
    std::map<std::int64_t, std::vector<SweepRow>> fastest_;  // by shape
};

std::unique_ptr<SweepOutput> open_rows(const SweepPlan& plan, const ArchSpec& base, std::int64_t begin,
                                       bool continues) {
    switch (plan.output.format) {
        case Format::csv:
            return std::make_unique<CsvRows>(plan, begin, continues);
        case Format::json:
            return std::make_unique<JsonRows>(plan, base);
        case Format::text:
            break;
    }
    return std::make_unique<TextRows>(plan, base);
}

}  // namespace

std::string csv_text(const SweepPlan& plan, const SweepRow& row, std::int64_t first) {
    if (!plan.shard) {
        return row.text;
    }
    ShardCell cell{*plan.shard, first, row.point, plan.study.size(), plan.identity, row.rejected, true};
    std::string text;
    for (std::size_t at = 0; at < row.text.size();) {
        const auto end = row.text.find('\n', at);
        cell.more = end + 1 < row.text.size();
        text += row.text.substr(at, end - at) + ',' + to_string(cell) + '\n';
        at = end + 1;
    }
    return text;
}

std::unique_ptr<SweepOutput> open_sweep_output(const SweepPlan& plan, const ArchSpec& base,
                                               std::int64_t begin, bool continues) {
    auto rows = open_rows(plan, base, begin, continues);
    return plan.top > 0 ? std::make_unique<Fastest>(std::move(rows), plan.top) : std::move(rows);
}

}  // namespace gpumodel::cli
