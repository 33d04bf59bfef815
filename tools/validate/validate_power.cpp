// gpumodel validate --power: what launches draw and how long they take in a series of seconds, beside what
// was measured.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "base/csv_table.h"
#include "base/parse.h"
#include "base/text_table.h"
#include "model/power/launch_power.h"
#include "tools/cli/parallel_runs.h"
#include "tools/launch/code_options.h"
#include "tools/launch/prediction_job.h"
#include "tools/validate/validate_options.h"
#include "tools/views/prediction/report.h"
#include "validate/accuracy/error_statistics.h"

namespace gpumodel::cli {
namespace sustained_power {
namespace {

struct PowerRow {
    PredictionJob job;
    double watts = 0, mhz = 0;              // second half of the series
    double burst_us = 0, sustained_us = 0;  // its first 80 ms, its second half
    std::string reason;                     // why there is no prediction
    Prediction burst, sustained;
};

const std::vector<std::string> columns{"family",
                                       "params",
                                       "M",
                                       "N",
                                       "K",
                                       "time_us_first_80ms",
                                       "time_us_second_half",
                                       "watts_second_half",
                                       "mhz_second_half"};

double positive(const CsvField& field, const std::string& file, const std::string& name) {
    const auto value = parse_number<double>(field.text);
    if (!value || !std::isfinite(*value) || *value <= 0) {
        throw InputError(InputErrorKind::usage, {{file, field.line, field.column, name,
                                                  fmt::format("'{}' is not a number above 0", field.text)}});
    }
    return *value;
}

std::vector<PowerRow> read_rows(const std::string& path) {
    const auto table = read_csv(path);
    const auto at = require_columns(table, columns, true);
    std::vector<PowerRow> rows;
    for (const auto& fields : table.rows) {
        const auto value = [&](std::size_t column) {
            return positive(fields[at[column]], path, columns[column]);
        };
        PowerRow row;
        row.job.kernel = fields[at[0]].text;
        std::vector<std::string> pairs;
        for (const auto part : split(fields[at[1]].text, ';')) {
            pairs.emplace_back(part);
        }
        row.job.params = parse_params(pairs, "params");
        row.job.m = static_cast<std::int64_t>(value(2));
        row.job.n = static_cast<std::int64_t>(value(3));
        row.job.k = static_cast<std::int64_t>(value(4));
        row.burst_us = value(5);
        row.sustained_us = value(6);
        row.watts = value(7);
        row.mhz = value(8);
        rows.push_back(std::move(row));
    }
    return rows;
}

void predict_row(const ArchSpec& burst, const ArchSpec& sustained, const PredictSettings& settings,
                 PowerRow& row) {
    try {
        const auto launch = lower_job(row.job, burst, settings.resources);
        row.burst = predict_launch(launch, burst, settings).front();
        row.sustained = predict_launch(launch, sustained, settings).front();
        row.reason = row.sustained.reason;
        if (row.reason.empty() && !row.sustained.average_watts) {
            row.reason = "its power is not known";
        }
    } catch (const InputError& error) {
        row.reason = joined_diagnostics(error);
    }
}

struct ErrorColumn {
    const char* name;
    double (*of)(const PowerRow&);  // predicted over measured, less 1
};
const std::vector<ErrorColumn> errors{
    {"power", [](const PowerRow& r) { return *r.sustained.average_watts / r.watts - 1; }},
    {"clock", [](const PowerRow& r) { return r.sustained.sm_hz / 1e6 / r.mhz - 1; }},
    {"sustained time", [](const PowerRow& r) { return 1e6 * r.sustained.time_seconds / r.sustained_us - 1; }},
    {"burst, first 80 ms", [](const PowerRow& r) { return 1e6 * r.burst.time_seconds / r.burst_us - 1; }},
    {"burst, later", [](const PowerRow& r) { return 1e6 * r.burst.time_seconds / r.sustained_us - 1; }}};

// "6.4 %, 17.6 %": mean and 90th percentile of the errors' sizes.
std::string size_words(const std::vector<const PowerRow*>& rows, const ErrorColumn& error) {
    std::vector<double> sizes;
    sizes.reserve(rows.size());
    for (const auto* row : rows) {
        sizes.push_back(error.of(*row));
    }
    const auto statistics = error_statistics(error.name, sizes);
    return fmt::format("{:.1f} %, {:.1f} %", statistics.mape_pct, statistics.p90_pct);
}

using Group = std::pair<std::string, std::vector<const PowerRow*>>;

// All, those that met the board's limit, and every family.
std::vector<Group> groups_of(const std::vector<PowerRow>& rows, double limit) {
    constexpr double near = 0.97;  // of the limit
    std::vector<Group> groups{{"all", {}}, {"at the board's limit", {}}};
    std::map<std::string, std::vector<const PowerRow*>> families;
    for (const auto& row : rows) {
        if (!row.reason.empty()) {
            continue;
        }
        groups[0].second.push_back(&row);
        if (row.watts > near * limit) {
            groups[1].second.push_back(&row);
        }
        families[row.job.kernel].push_back(&row);
    }
    groups.insert(groups.end(), families.begin(), families.end());
    std::erase_if(groups, [](const Group& group) { return group.second.empty(); });
    return groups;
}

std::string summary(const std::vector<PowerRow>& rows, double limit, const std::string& model) {
    std::vector<std::vector<std::string>> cells{{"Error (mean, 90th percentile)", "launches"}};
    for (const auto& error : errors) {
        cells[0].emplace_back(error.name);
    }
    for (const auto& [name, members] : groups_of(rows, limit)) {
        cells.push_back({name, std::to_string(members.size())});
        for (const auto& error : errors) {
            cells.back().push_back(size_words(members, error));
        }
    }
    auto text = fmt::format("Power, {} model\n", model) + aligned(cells);
    for (const auto& row : rows) {
        if (!row.reason.empty()) {
            text += fmt::format("left out: {} {}: {}\n", row.job.kernel, row.sustained.params, row.reason);
        }
    }
    return text;
}

std::string rows_csv(const std::vector<PowerRow>& rows) {
    std::string text =
        "family,params,M,N,K,watts,predicted_watts,mhz,predicted_mhz,sustained_us,predicted_sustained_us,"
        "burst_us,"
        "predicted_burst_us,reason\n";
    for (const auto& row : rows) {
        std::vector<std::string> cells{row.job.kernel, row.sustained.params, std::to_string(*row.job.m),
                                       std::to_string(*row.job.n), std::to_string(*row.job.k)};
        const auto pair = [&](double measured, double predicted) {
            cells.push_back(number(measured));
            cells.push_back(row.reason.empty() ? number(predicted) : "");
        };
        pair(row.watts, row.sustained.average_watts.value_or(0));
        pair(row.mhz, row.sustained.sm_hz / 1e6);
        pair(row.sustained_us, 1e6 * row.sustained.time_seconds);
        pair(row.burst_us, 1e6 * row.burst.time_seconds);
        cells.push_back(row.reason);
        text += csv_record(cells);
    }
    return text;
}

}  // namespace
}  // namespace sustained_power

int validate_power(const ValidateOptions& options) {
    using namespace sustained_power;
    const auto models = models_of(options);
    OptionFaults faults;
    const auto burst = faults.load_arch(options.arch);
    if (models.size() != 1 || (models[0] != ModelKind::analytic && models[0] != ModelKind::simulate)) {
        faults.add("--model", "analytic or simulate with --power");
    }
    if (!knows_power(burst) && !burst.name.empty()) {
        faults.add("--arch",
                   fmt::format("what {} draws was not measured (gpumodel arch keys: power)", burst.name));
    }
    faults.throw_if_any();
    auto sustained = burst;
    sustained.clock.sustained = true;
    auto rows = read_rows(options.power);
    PredictSettings settings;
    settings.models = models[0] == ModelKind::analytic ? ModelChoice::analytic : ModelChoice::simulate;
    settings.detail = Detail::figures;
    settings.resources.provider = provider_of(options.program.code, rows.size());
    parallel_runs(options.threads)(rows.size(),
                                   [&](std::size_t i) { predict_row(burst, sustained, settings, rows[i]); });
    return options.rows || options.output.format == Format::csv
               ? write_data(options.output, rows_csv(rows))
               : write_output(options.output,
                              summary(rows, *burst.power.limit_watts, std::string(to_string(models[0]))));
}

}  // namespace gpumodel::cli
