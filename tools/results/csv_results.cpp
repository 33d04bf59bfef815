#include "tools/results/csv_results.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/parse.h"

namespace gpumodel::cli {
namespace {

const std::vector<std::string> identity_columns{"arch", "kernel", "params", "M",      "N",
                                                "K",    "model",  "status", "reason", "time_us"};
const std::vector<std::string> other_columns{
    "gflops",       "cycles",       "occupancy_limiter", "bottleneck", "error_band_pct", "program_source",
    "unknown_data", "sm_clock_mhz", "average_power_w",   "energy_mj",  "power_band_pct"};
const std::vector<std::string> resource_columns{"threads_per_block",
                                                "registers_per_thread",
                                                "shared_bytes_per_block",
                                                "blocks_per_sm",
                                                "theoretical_occupancy",
                                                "achieved_occupancy",
                                                "waves"};

bool in(const std::vector<std::string>& list, const std::string& name) {
    return std::find(list.begin(), list.end(), name) != list.end();
}

bool is_counter(const std::string& column) {
    return column.find("__") != std::string::npos;  // unit__name: Nsight Compute's way
}

std::optional<Status> status_of(const std::string& name) {
    for (const auto status : all_statuses) {
        if (name == to_string(status)) {
            return status;
        }
    }
    return std::nullopt;
}

}  // namespace

ResultReader::ResultReader(CsvReader& reader, ReadCounters counters) : reader_(reader) {
    (void)require_columns(reader.file(), reader.header(), identity_columns, true);
    for (std::size_t i = 0; i < reader.header().size(); ++i) {
        const auto& name = reader.header()[i];
        if (in(identity_columns, name) || in(other_columns, name)) {
            known_.push_back({name, i});
        } else if (in(resource_columns, name)) {
            resources_.push_back({name, i});
        } else if (!is_counter(name)) {
            variant_.push_back({name, i});
        } else if (counters == ReadCounters::yes) {
            counters_.push_back({name, i});
        }
    }
    // says only where a row was computed
    std::erase_if(variant_, [](const Column& column) { return column.name == "shard"; });
}

std::optional<LaunchRecord> ResultReader::next() {
    while (const auto row = reader_.next()) {
        if (!row->fault.empty()) {
            fault(row->fields.front(), "", row->fault);
        } else if (auto record = read(*row)) {
            return record;
        }
    }
    return std::nullopt;
}

std::optional<LaunchRecord> ResultReader::read(const CsvRow& row) {
    const auto faults_before = fault_count_;
    const auto text = [&](const char* column) { return field(row, column).text; };
    LaunchRecord record;
    record.arch = text("arch");
    record.kernel = text("kernel");
    record.params = text("params");
    record.m = dimension(row, "M");
    record.n = dimension(row, "N");
    record.k = dimension(row, "K");
    record.model = text("model");
    for (const auto& [name, index] : variant_) {
        record.variant += (record.variant.empty() ? "" : ";") + name + '=' + row.fields[index].text;
    }
    record.program_source = text("program_source");
    record.reason = text("reason");
    record.bottleneck = text("bottleneck");
    record.occupancy_limiter = text("occupancy_limiter");
    read_time(row, record);
    for (const auto& [name, index] : resources_) {
        const auto value = number(row.fields[index], name);
        if (value && (is_predicted(record.status) || name.find("_per_") != std::string::npos)) {
            record.resources.push_back({name, *value});
        }
    }
    for (const auto& [name, index] : counters_) {
        if (const auto value = number(row.fields[index], name)) {
            record.counters.push_back({name, *value});
        }
    }
    return fault_count_ == faults_before ? std::optional(std::move(record)) : std::nullopt;
}

void ResultReader::read_time(const CsvRow& row, LaunchRecord& record) {
    const auto faults_before = fault_count_;
    const auto named = [&](const char* column) { return number(field(row, column), column); };
    record.time_us = named("time_us").value_or(0);
    record.gflops = named("gflops");
    record.cycles = named("cycles");
    record.error_band_pct = named("error_band_pct");
    const auto& name = field(row, "status");
    const auto status = status_of(name.text);
    if (!status) {
        fault(name, "status", fmt::format("'{}' is none of ok, partial, infeasible, error", name.text));
    } else if (is_predicted(*status) != (record.time_us > 0) && faults_before == fault_count_) {
        fault(field(row, "time_us"), "time_us",
              is_predicted(*status) ? "a launch with status ok needs a time above 0"
                                    : "is given in a row that is not ok");
    }
    record.status = status.value_or(Status::error);
}

const CsvField& ResultReader::field(const CsvRow& row, const std::string& column) const {
    static const CsvField absent;
    const auto found =
        std::find_if(known_.begin(), known_.end(), [&](const Column& c) { return c.name == column; });
    return found == known_.end() ? absent : row.fields[found->index];
}

std::optional<double> ResultReader::number(const CsvField& field, const std::string& column) {
    const auto value = parse_number<double>(field.text);
    // times of 1e30 would leave no room for arithmetic
    if (!field.text.empty() && !(value && *value >= 0 && *value < 1e30)) {
        fault(field, column, fmt::format("'{}' is not a number of at least 0", field.text));
        return std::nullopt;
    }
    return value;
}

std::int64_t ResultReader::dimension(const CsvRow& row, const std::string& column) {
    const auto& cell = field(row, column);
    const auto value = parse_number<std::int64_t>(cell.text);
    if (!cell.text.empty() && !(value && *value >= 0)) {
        fault(cell, column, fmt::format("'{}' is not a whole number", cell.text));
    }
    return value.value_or(0);
}

void ResultReader::fault(const CsvField& field, const std::string& column, const std::string& what) {
    constexpr std::int64_t most = 20;
    if (fault_count_++ < most) {
        faults_.push_back({reader_.file(), field.line, field.column, column, what});
    }
}

void ResultReader::throw_if_faulty() const {
    if (faults_.empty()) {
        return;
    }
    auto faults = faults_;
    const auto more = fault_count_ - static_cast<std::int64_t>(faults.size());
    if (more > 0) {
        faults.push_back({reader_.file(), 0, 0, "", fmt::format("{} more faults", more)});
    }
    throw InputError(InputErrorKind::usage, std::move(faults));
}

}  // namespace gpumodel::cli
