#include "tools/views/recording/recording_views.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "tools/views/prediction/report.h"
#include "tools/views/prediction/shared_rows.h"
#include "tools/views/result_json.h"
#include "validate/accuracy/csv_row.h"
#include "validate/accuracy/error_statistics.h"

namespace gpumodel::cli {
namespace {

using Json = nlohmann::ordered_json;

std::string plain_name(const RecordedLaunch& launch) {
    const auto& name = launch.name.empty() ? launch.kernel : launch.name;
    const auto parameters = name.rfind('(');
    return parameters == std::string::npos || parameters == 0 ? name : name.substr(0, parameters);
}

struct KernelRow {
    std::string name;
    std::vector<double> errors;
    std::size_t launches = 0, predicted = 0, measured = 0;
    double measured_us = 0, predicted_us = 0;  // sums
};

void count(const ReplayedLaunch& l, KernelRow& row) {
    ++row.launches;
    if (!is_predicted(l.prediction.status)) {
        return;
    }
    ++row.predicted;
    row.predicted_us += 1e6 * l.prediction.time_seconds;
    if (l.measured_us) {
        ++row.measured;
        row.measured_us += *l.measured_us;
        row.errors.push_back(*l.error());
    }
}

// All first, then by kernel in the order of the first launches.
std::vector<KernelRow> rows_of(const std::vector<ReplayedLaunch>& launches) {
    std::vector<KernelRow> rows(1);
    rows[0].name = "all";
    std::map<std::string, std::size_t> places;
    for (const auto& l : launches) {
        const auto [at, is_new] = places.emplace(l.recorded->kernel, rows.size());
        if (is_new) {
            rows.emplace_back();
            rows.back().name = plain_name(*l.recorded);
        }
        count(l, rows[0]);
        count(l, rows[at->second]);
    }
    return rows;
}

std::string mean_text(double sum, std::size_t count) {
    return count == 0 ? "-" : fmt::format("{:.1f}", sum / static_cast<double>(count));
}

std::string row_text(const KernelRow& row, bool errors) {
    auto text = fmt::format("{:<32}  {:>9} {:>12}", row.name, row.launches,
                            mean_text(row.predicted_us, row.predicted));
    if (!errors) {
        return text + '\n';
    }
    text += fmt::format("{:>13}", mean_text(row.measured_us, row.measured));
    if (!row.errors.empty()) {
        const auto e = error_statistics(row.name, row.errors);
        text += fmt::format("{:>9.1f} {:>8.1f} {:>8.1f} {:>+8.1f}", e.mape_pct, e.median_pct, e.p90_pct,
                            e.bias_pct);
    }
    return text + '\n';
}

bool any_measured(const std::vector<ReplayedLaunch>& launches) {
    return std::any_of(launches.begin(), launches.end(),
                       [](const ReplayedLaunch& l) { return l.measured_us.has_value(); });
}

std::string device_of(const Recording& recording) {
    return recording.launches.empty() ? "" : recording.launches.front().device;
}

std::string dimensions(const Dim3& d) {
    return fmt::format("{},{},{}", d.x, d.y, d.z);
}

Json statistics_json(const KernelRow& row) {
    Json json{{"kernel", row.name}, {"launches", row.launches}, {"predicted", row.predicted}};
    const auto e = error_statistics(row.name, row.errors);
    for (const auto& [key, value] : {std::pair{"mape_pct", e.mape_pct},
                                     {"median_pct", e.median_pct},
                                     {"p90_pct", e.p90_pct},
                                     {"bias_pct", e.bias_pct}}) {
        json[key] = row.errors.empty() ? Json() : Json(value);
    }
    return json;
}

Json launch_json(const ReplayedLaunch& l) {
    const auto& r = *l.recorded;
    const auto& p = l.prediction;
    const bool predicted = is_predicted(p.status);
    const auto error = l.error();
    return {{"launch", r.number},
            {"kernel", r.kernel},
            {"name", r.name},
            {"grid", {r.grid.x, r.grid.y, r.grid.z}},
            {"block", {r.block.x, r.block.y, r.block.z}},
            {"model", p.model},
            {"status", std::string(to_string(p.status))},
            {"reason", p.reason.empty() ? Json() : Json(p.reason)},
            {"measured_us", json_optional(l.measured_us)},
            {"predicted_us", predicted ? Json(1e6 * p.time_seconds) : Json()},
            {"error_pct", error ? Json(100 * *error) : Json()},
            {"bottleneck", predicted ? Json(bottleneck_names(p)) : Json()},
            {"unknown_data", p.unknown_data.size()}};
}

}  // namespace

std::string recording_text(const Recording& recording, const std::vector<ReplayedLaunch>& launches,
                           const ArchSpec& arch) {
    const bool errors = any_measured(launches);
    std::string text =
        fmt::format("{} launches recorded on {}, predicted for {}\n", launches.size(),
                    device_of(recording).empty() ? "an unnamed GPU" : device_of(recording), arch.name);
    if (!errors && !launches.empty()) {
        text += "no errors: the recording is of another GPU, or without times\n";
    }
    text += fmt::format("\n{:<32}  {:>9} {:>12}", "kernel", "launches", "predicted us");
    text += errors ? fmt::format("{:>13} {:>8} {:>8} {:>8} {:>8}\n", "measured us", "MAPE %", "median %",
                                 "p90 %", "bias %")
                   : "\n";
    for (const auto& row : rows_of(launches)) {
        text += row_text(row, errors);
    }
    std::size_t marked = 0;
    for (const auto& l : launches) {
        marked += l.prediction.unknown_data.empty() ? 0U : 1U;
        if (!is_predicted(l.prediction.status)) {
            text += fmt::format("left out: launch {} {}: {}\n", l.recorded->number, plain_name(*l.recorded),
                                l.prediction.reason);
        }
    }
    if (marked > 0) {
        text += fmt::format(
            "{} launches hang on device memory that the recording does not hold: read as zero\n", marked);
    }
    if (recording.not_recorded > 0) {
        text += fmt::format("not recorded: see {}/skipped.jsonl\n", recording.folder);
    }
    return text;
}

std::string recording_csv(const std::vector<ReplayedLaunch>& launches) {
    std::string text =
        "launch,kernel,grid,block,model,status,reason,measured_us,first_us,predicted_us,error_pct,bottleneck,"
        "unknown_data\n";
    for (const auto& l : launches) {
        const auto& p = l.prediction;
        const bool predicted = is_predicted(p.status);
        const auto error = l.error();
        text += csv_record(l.recorded->number, plain_name(*l.recorded), dimensions(l.recorded->grid),
                           dimensions(l.recorded->block), p.model, to_string(p.status), p.reason,
                           l.measured_us, l.measured_us ? l.recorded->first_us : std::nullopt,
                           predicted ? std::optional(1e6 * p.time_seconds) : std::nullopt,
                           error ? std::optional(100 * *error) : std::nullopt,
                           predicted ? bottleneck_names(p) : std::string(), p.unknown_data.size());
    }
    return text;
}

std::string recording_json(const Recording& recording, const std::vector<ReplayedLaunch>& launches,
                           const ArchSpec& arch) {
    auto json = json_head(arch);
    json["recorded_on"] = device_of(recording);
    json["not_recorded"] = recording.not_recorded;
    json["kernels"] = Json::array();
    for (const auto& row : rows_of(launches)) {
        json["kernels"].push_back(statistics_json(row));
    }
    json["launches"] = Json::array();
    for (const auto& l : launches) {
        json["launches"].push_back(launch_json(l));
    }
    return json_text(json);
}

}  // namespace gpumodel::cli
