// csv of predict, its --jobs and sweep: one row per launch and model.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <sstream>

#include "base/csv_table.h"
#include "tools/cli/option_values.h"
#include "tools/compare/result_files.h"

namespace gpumodel::cli {
namespace {

const std::vector<std::string> identity{"arch", "kernel", "params", "M",      "N",
                                        "K",    "model",  "status", "reason", "time_us"};
const std::vector<std::string> resource_columns{"threads_per_block",
                                                "registers_per_thread",
                                                "shared_bytes_per_block",
                                                "blocks_per_sm",
                                                "theoretical_occupancy",
                                                "achieved_occupancy",
                                                "waves"};
const std::vector<std::string> other_columns{"gflops", "cycles", "occupancy_limiter", "bottleneck",
                                             "error_band_pct"};

bool in(const std::vector<std::string>& list, const std::string& name) {
    return std::find(list.begin(), list.end(), name) != list.end();
}

bool is_counter(const std::string& column) {
    return column.find("__") != std::string::npos;  // unit__name: Nsight Compute's way
}

// The columns in their order, each with what it holds.
class Row {
public:
    Row(const std::vector<std::string>& header, const CsvRow& row, const std::string& file,
        OptionFaults& faults)
        : header_(header), row_(row), file_(file), faults_(faults) {}

    [[nodiscard]] const std::string& text(const std::string& column) const {
        static const std::string none;
        const auto found = std::find(header_.begin(), header_.end(), column);
        return found == header_.end() ? none : field(found - header_.begin()).text;
    }
    [[nodiscard]] std::optional<double> number(const std::string& column) const {
        const auto found = std::find(header_.begin(), header_.end(), column);
        return found == header_.end() ? std::nullopt : number_at(found - header_.begin());
    }
    [[nodiscard]] std::optional<double> number_at(std::ptrdiff_t column) const {
        const auto& f = field(column);
        if (f.text.empty()) {
            return std::nullopt;
        }
        double value = 0;
        const auto* end = f.text.data() + f.text.size();
        const auto result = std::from_chars(f.text.data(), end, value);
        if (result.ec != std::errc() || result.ptr != end || !std::isfinite(value)) {
            fault(column, fmt::format("'{}' is not a number", f.text));
            return std::nullopt;
        }
        return value;
    }
    [[nodiscard]] std::int64_t dimension(const std::string& column) const {
        const auto found = std::find(header_.begin(), header_.end(), column) - header_.begin();
        const auto& f = field(found);
        return f.text.empty() ? 0
                              : faults_
                                    .whole_number(f.text, {file_, f.line, f.column, column},
                                                  {0, std::numeric_limits<std::int64_t>::max()})
                                    .value_or(0);
    }
    void fault(std::ptrdiff_t column, const std::string& what) const {
        const auto& f = field(column);
        faults_.add({file_, f.line, f.column, header_[static_cast<std::size_t>(column)]}, what);
    }
    void fault(const std::string& column, const std::string& what) const {
        fault(std::find(header_.begin(), header_.end(), column) - header_.begin(), what);
    }
    [[nodiscard]] const std::vector<std::string>& header() const { return header_; }

private:
    [[nodiscard]] const CsvField& field(std::ptrdiff_t column) const {
        return row_.fields[static_cast<std::size_t>(column)];
    }

    const std::vector<std::string>& header_;
    const CsvRow& row_;
    const std::string& file_;
    OptionFaults& faults_;
};

// "sm.shared_memory.banks=64;l2.latency=200": what a sweep varied besides the parameters.
std::string variant_of(const Row& row) {
    std::string variant;
    for (const auto& column : row.header()) {
        if (!in(identity, column) && !in(resource_columns, column) && !in(other_columns, column) &&
            !is_counter(column)) {
            variant += (variant.empty() ? "" : ";") + column + '=' + row.text(column);
        }
    }
    return variant;
}

Status status_of(const Row& row) {
    for (const auto status : {Status::ok, Status::infeasible, Status::error}) {
        if (row.text("status") == to_string(status)) {
            return status;
        }
    }
    row.fault("status", fmt::format("'{}' is none of ok, infeasible, error", row.text("status")));
    return Status::error;
}

void add_results(const Row& row, LaunchRecord& record) {
    const auto time = row.number("time_us");
    if (time && *time > 0) {
        record.time_us = *time;
    } else {
        row.fault("time_us", "a launch with status ok needs a time above 0");
    }
    record.gflops = row.number("gflops");
    record.cycles = row.number("cycles");
    record.error_band_pct = row.number("error_band_pct");
    record.bottleneck = row.text("bottleneck");
    for (std::size_t i = 0; i < row.header().size(); ++i) {
        if (!is_counter(row.header()[i])) {
            continue;
        }
        if (const auto value = row.number_at(static_cast<std::ptrdiff_t>(i))) {
            record.counters.push_back({row.header()[i], *value});
        }
    }
}

LaunchRecord launch_of(const Row& row) {
    LaunchRecord record;
    record.arch = row.text("arch");
    record.kernel = row.text("kernel");
    record.params = row.text("params");
    record.m = row.dimension("M");
    record.n = row.dimension("N");
    record.k = row.dimension("K");
    record.model = row.text("model");
    record.variant = variant_of(row);
    record.status = status_of(row);
    record.reason = row.text("reason");
    record.occupancy_limiter = row.text("occupancy_limiter");
    for (const auto& column : resource_columns) {
        const auto value = row.number(column);
        if (value && (record.status == Status::ok || column.find("_per_") != std::string::npos)) {
            record.resources.push_back({column, *value});
        }
    }
    if (record.status == Status::ok) {
        add_results(row, record);
    }
    return record;
}

}  // namespace

void read_csv_results(const std::string& content, ResultFile& file) {
    std::istringstream in(content);
    CsvReader reader(in, file.path);
    (void)require_columns(file.path, reader.header(), identity, true);
    OptionFaults faults;
    while (const auto row = reader.next()) {
        if (!row->fault.empty()) {
            faults.add({file.path, row->fields.front().line, row->fields.front().column, ""}, row->fault);
            continue;
        }
        file.launches.push_back(launch_of(Row(reader.header(), *row, file.path, faults)));
    }
    faults.throw_if_any();
}

}  // namespace gpumodel::cli
