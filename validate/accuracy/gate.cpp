#include "validate/accuracy/gate.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <memory>

#include "arch_specs/loader.h"
#include "validate/accuracy/csv_row.h"

namespace gpumodel {
namespace {

const std::vector<std::string> gate_columns{"arch",  "measurements", "listing", "model",    "sample",
                                            "group", "figure",       "reached", "tolerance"};
const std::vector<std::string> figures{"mape_pct", "median_pct", "p90_pct", "launches"};

std::optional<ModelKind> model_named(const std::string& name) {
    for (std::size_t m = 0; m < model_count; ++m) {
        if (to_string(static_cast<ModelKind>(m)) == name) {
            return static_cast<ModelKind>(m);
        }
    }
    return std::nullopt;
}

double figure_of(const ErrorStatistics& errors, const std::string& figure) {
    return figure == "mape_pct"     ? errors.mape_pct
           : figure == "median_pct" ? errors.median_pct
           : figure == "p90_pct"    ? errors.p90_pct
                                    : static_cast<double>(errors.launches);
}

std::string in_folder(const std::string& folder, const std::string& file) {
    return (std::filesystem::path(folder) / file).string();
}

// `run`: limits of one arch, measurements, listing and sample.
std::vector<GateResult> check_run(const std::vector<GateLimit>& run, const std::string& folder,
                                  const ForEach& for_each) {
    const auto& first = run.front();
    const auto arch = load_arch(first.arch);
    MeasurementChoice choice;
    choice.split = Split::calibration;
    choice.sample = first.sample;
    std::unique_ptr<ListedKernels> listing;
    if (!first.listing.empty()) {
        listing = std::make_unique<ListedKernels>(in_folder(folder, first.listing));
        choice.include = [&listing](const Measurement& m) { return listing->find(m) != nullptr; };
    }
    const auto measured = choose(read_measurements(in_folder(folder, first.measurements)), choice);
    CompareOptions options;
    options.models.clear();
    options.listing = listing.get();
    options.for_each = for_each;
    for (const auto& limit : run) {
        const auto model = *model_named(limit.model);
        if (std::find(options.models.begin(), options.models.end(), model) == options.models.end()) {
            options.models.push_back(model);
        }
    }
    const auto comparison = compare(measured, arch, options);
    const auto report = accuracy_report(comparison, {}, arch.generation);
    std::vector<GateResult> results;
    for (const auto& limit : run) {
        const auto row =
            std::find_if(report.groups.begin(), report.groups.end(), [&limit](const GroupRow& r) {
                return to_string(r.model) == limit.model && r.errors.name == limit.group;
            });
        const bool found = row != report.groups.end() && row->errors.launches > 0;
        results.push_back({limit, found ? figure_of(row->errors, limit.figure) : 0, found});
    }
    return results;
}

}  // namespace

std::vector<GateLimit> read_gate(const std::string& path) {
    const auto table = read_csv(path);
    const auto at = require_columns(table, gate_columns, false);
    std::vector<Diagnostic> faults;
    CsvRowReader read(table, faults);
    std::vector<GateLimit> limits;
    for (std::size_t i = 0; i < table.rows.size(); ++i) {
        const auto& row = table.rows[i];
        if (!table.row_faults[i].empty()) {
            read.fault(row.front(), "", table.row_faults[i]);
            continue;
        }
        const auto text = [&](std::size_t column) { return row[at[column]].text; };
        limits.push_back({text(0), text(1), text(2), text(3), text(5), text(6),
                          read.number<std::size_t>(i, at[4]), read.number<double>(i, at[7]),
                          read.number<double>(i, at[8])});
        if (!model_named(text(3))) {
            read.fault(
                row[at[3]], "model",
                fmt::format("'{}' is no model; simulate-sass, simulate, analytic or analytic-sass", text(3)));
        }
        if (std::find(figures.begin(), figures.end(), text(6)) == figures.end()) {
            read.fault(row[at[6]], "figure",
                       fmt::format("'{}' is none of {}", text(6), fmt::join(figures, ", ")));
        }
    }
    if (!faults.empty()) {
        throw InputError(InputErrorKind::invalid_input, std::move(faults));
    }
    return limits;
}

std::string gate_csv(const std::vector<GateLimit>& limits) {
    std::string text = fmt::format("{}\n", fmt::join(gate_columns, ","));
    for (const auto& l : limits) {
        text += fmt::format("{},{},{},{},{},{},{},{:.4g},{:g}\n", l.arch, l.measurements, l.listing, l.model,
                            l.sample, l.group.find(',') == std::string::npos ? l.group : '"' + l.group + '"',
                            l.figure, l.reached, l.tolerance);
    }
    return text;
}

bool GateResult::passed() const {
    return measured && (limit.figure == "launches" ? value >= limit.reached - limit.tolerance
                                                   : value <= limit.reached + limit.tolerance);
}

std::vector<GateResult> check_gate(const std::vector<GateLimit>& limits, const std::string& folder,
                                   const ForEach& for_each) {
    std::vector<GateResult> results;
    for (std::size_t i = 0; i < limits.size();) {
        std::vector<GateLimit> run;
        const auto begin = i;
        while (i < limits.size() && limits[i].same_run(limits[begin])) {
            run.push_back(limits[i++]);
        }
        for (auto& result : check_run(run, folder, for_each)) {
            results.push_back(std::move(result));
        }
    }
    return results;
}

}  // namespace gpumodel
