#include "tools/report/prediction/result_rows.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "tools/views/prediction/report.h"

namespace gpumodel::cli::page {
namespace {

enum Column : std::size_t {
    arch,
    kernel,
    params,
    m,
    n,
    k,
    model,
    status,
    reason,
    time_us,
    gflops,
    bottleneck,
    error_band_pct
};
const std::vector<std::string> column_names{"arch",   "kernel",     "params",        "M",      "N",
                                            "K",      "model",      "status",        "reason", "time_us",
                                            "gflops", "bottleneck", "error_band_pct"};

// A sweep over spec values adds a column per key; "shard" says only where a row was computed.
std::vector<std::size_t> unknown_columns(const std::vector<std::string>& header) {
    const auto known = "," + csv_header().substr(0, csv_header().size() - 1) + ",shard,";
    std::vector<std::size_t> columns;
    for (std::size_t i = 0; i < header.size(); ++i) {
        if (known.find("," + header[i] + ",") == std::string::npos) {
            columns.push_back(i);
        }
    }
    return columns;
}

// The csv reader's faults name the option of job files.
InputError renamed(const InputError& error, const std::string& option) {
    auto diagnostics = error.diagnostics();
    for (auto& diagnostic : diagnostics) {
        diagnostic.key = diagnostic.key == "--jobs" ? option : diagnostic.key;
    }
    return {error.kind(), std::move(diagnostics)};
}

}  // namespace

std::vector<std::pair<std::string, std::string>> ResultRow::axes() const {
    std::vector<std::pair<std::string, std::string>> list;
    std::size_t begin = 0;
    while (begin < params.size()) {
        const auto end = std::min(params.find(';', begin), params.size());
        const auto item = params.substr(begin, end - begin);
        const auto equals = item.find('=');
        if (equals != std::string::npos) {
            list.emplace_back(item.substr(0, equals), item.substr(equals + 1));
        }
        begin = end + 1;
    }
    list.insert(list.end(), spec_keys.begin(), spec_keys.end());
    for (const auto& [name, value] :
         {std::pair{"M", &m}, {"N", &n}, {"K", &k}, {"kernel", &kernel}, {"arch", &arch}}) {
        if (!value->empty()) {
            list.emplace_back(name, *value);
        }
    }
    return list;
}

std::string ResultRow::identity() const {
    const auto size = m.empty() ? std::string() : fmt::format(" M={} N={} K={}", m, n, k);
    auto text = fmt::format("{} {}{} {}", arch, kernel, size, params);
    for (const auto& [key, value] : spec_keys) {
        text += fmt::format(" {}={}", key, value);
    }
    return text;
}

ResultReader::ResultReader(const std::string& path, const std::string& option) {
    try {
        source_ = std::make_unique<CsvSource>(path);
        columns_ = require_columns(path, source_->reader().header(), column_names, true);
        spec_columns_ = unknown_columns(source_->reader().header());
    } catch (const InputError& error) {
        throw renamed(error, option);
    }
}

std::optional<ResultRow> ResultReader::next() {
    while (const auto row = source_->reader().next()) {
        if (!row->fault.empty()) {
            fault(row->fields.front(), "", row->fault);
            continue;
        }
        if (auto result = read(*row)) {
            return result;
        }
    }
    return std::nullopt;
}

std::optional<double> ResultReader::number(const CsvRow& row, std::size_t column) {
    const auto& field = row.fields[columns_[column]];
    if (field.text.empty()) {
        return std::nullopt;
    }
    double value = 0;
    const char* end = field.text.data() + field.text.size();
    const auto result = std::from_chars(field.text.data(), end, value);
    // written so that NaN is refused too; times of 1e30 would leave no room for arithmetic
    if (result.ec != std::errc() || result.ptr != end || !(value >= 0 && value < 1e30)) {
        fault(field, column_names[column], fmt::format("'{}' is not a number of at least 0", field.text));
        return std::nullopt;
    }
    return value;
}

std::optional<ResultRow> ResultReader::read(const CsvRow& row) {
    const auto text = [&](Column column) { return row.fields[columns_[column]].text; };
    ResultRow result{text(arch),   text(kernel), text(params),     text(m), text(n), text(k), text(model),
                     text(status), text(reason), text(bottleneck), {},      {},      {},      {}};
    for (const auto column : spec_columns_) {
        result.spec_keys.emplace_back(source_->reader().header()[column], row.fields[column].text);
    }
    const auto faults_before = faults_.size() + static_cast<std::size_t>(more_faults_);
    result.time_us = number(row, time_us);
    result.gflops = number(row, gflops);
    result.error_band_pct = number(row, error_band_pct);
    const auto& status_field = row.fields[columns_[status]];
    if (result.status != "ok" && result.status != "infeasible" && result.status != "error") {
        fault(status_field, "status", fmt::format("'{}' is none of ok, infeasible, error", result.status));
    } else if ((result.status == "ok") != (result.time_us.value_or(0) > 0) &&
               faults_before == faults_.size() + static_cast<std::size_t>(more_faults_)) {
        fault(row.fields[columns_[time_us]], "time_us",
              result.status == "ok" ? "is missing or 0 in a row of status ok"
                                    : "is given in a row that is not ok");
    }
    if (faults_before != faults_.size() + static_cast<std::size_t>(more_faults_)) {
        return std::nullopt;
    }
    return result;
}

void ResultReader::fault(const CsvField& field, const std::string& key, const std::string& message) {
    constexpr std::size_t most = 20;
    if (faults_.size() == most) {
        ++more_faults_;
        return;
    }
    faults_.push_back({source_->reader().file(), field.line, field.column, key, message});
}

void ResultReader::throw_if_faulty() const {
    if (faults_.empty()) {
        return;
    }
    auto diagnostics = faults_;
    if (more_faults_ > 0) {
        diagnostics.push_back({faults_.front().file, 0, 0, "", fmt::format("{} more faults", more_faults_)});
    }
    throw InputError(InputErrorKind::usage, std::move(diagnostics));
}

}  // namespace gpumodel::cli::page
