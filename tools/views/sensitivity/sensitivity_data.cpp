// csv and json of a sensitivity study.
#include <fmt/format.h>

#include "tools/views/prediction/report.h"
#include "tools/views/prediction/simulation_json.h"
#include "tools/views/result_json.h"
#include "tools/views/sensitivity/sensitivity_views.h"

namespace gpumodel::cli {
namespace {

using Json = nlohmann::ordered_json;

std::string unit_of(const SensitivityRow& row) {
    return row.field != nullptr ? base_unit(row.field->dimension) : "";
}

std::optional<double> microseconds(const std::optional<double>& seconds) {
    return seconds ? std::optional(*seconds * 1e6) : std::nullopt;
}

// The value where `known`.
template <class Value>
std::optional<Value> only_if(bool known, const Value& value) {
    return known ? std::optional(value) : std::nullopt;
}

std::string launch_cells(const SensitivityReport& report) {
    const auto& p = report.launch;
    return csv_cells(p.arch, p.kernel, p.params, dimension_text(p.m), dimension_text(p.n),
                     dimension_text(p.k), report.simulated ? "simulate" : "analytic") +
           ',';
}

std::string csv_line(const SensitivityReport& report, const SensitivityRow& row, const char* kind) {
    const bool sim = report.simulated;
    const auto& e = row.elasticity;
    return launch_cells(report) +
           csv_record(kind, row.name, row.value, unit_of(row), microseconds(report.study.base.seconds(sim)),
                      e.value, e.below, e.above, only_if(e.value.has_value(), e.resolution),
                      only_if(e.below && e.above, e.cliff), row.analytic, row.low.value,
                      microseconds(row.low.time.seconds(sim)), row.low.reason, row.high.value,
                      microseconds(row.high.time.seconds(sim)), row.high.reason,
                      only_if(row.field != nullptr, row.estimated), row.uncertainty, row.source);
}

std::string csv_line(const SensitivityReport& report, const WhatIf& what_if) {
    return launch_cells(report) + csv_record("what_if", changes_text(what_if), "", "",
                                             microseconds(what_if.time.seconds(report.simulated)), "", "", "",
                                             "", "", "", "", "", what_if.reason, "", "", "", "", "", "");
}

Json json_side(const SensitivityRow& row, const VariedSide& side) {
    Json json;
    json["value"] = json_optional(side.value);
    json["text"] = side.value && row.field != nullptr ? Json(print_value(*row.field, *side.value)) : Json();
    json["simulated_time_us"] = json_optional(microseconds(side.time.simulated_seconds));
    json["analytic_time_us"] = json_optional(microseconds(side.time.analytic_seconds));
    json["reason"] = side.reason;
    return json;
}

Json json_row(const SensitivityRow& row) {
    const auto& e = row.elasticity;
    Json json{{"name", row.name}, {"value", row.value}, {"unit", unit_of(row)}};
    json["elasticity"] = json_optional(e.value);
    json["elasticity_below"] = json_optional(e.below);
    json["elasticity_above"] = json_optional(e.above);
    json["resolution"] = e.value ? Json(e.resolution) : Json();
    json["cliff"] = e.below && e.above ? Json(e.cliff) : Json();
    json["analytic_elasticity"] = json_optional(row.analytic);
    json["low"] = json_side(row, row.low);
    json["high"] = json_side(row, row.high);
    if (row.field != nullptr) {
        json["estimated"] = row.estimated;
        json["relative_uncertainty"] = json_optional(row.uncertainty);
        json["source"] = row.source;
    }
    return json;
}

Json json_time(const LaunchTime& time) {
    return {{"simulated_us", json_optional(microseconds(time.simulated_seconds))},
            {"analytic_us", json_optional(microseconds(time.analytic_seconds))},
            {"extrapolation_error_bound_pct", time.simulated_seconds ? Json(time.error_bound_pct) : Json()}};
}

}  // namespace

std::string sensitivity_csv(const SensitivityReport& report, const ArchSpec& /*arch*/) {
    std::string text =
        "arch,kernel,params,M,N,K,model,kind,name,value,unit,time_us,elasticity,elasticity_below,"
        "elasticity_above,resolution,cliff,analytic_elasticity,low,low_time_us,low_reason,high,high_time_us,"
        "high_reason,estimated,relative_uncertainty,source\n";
    for (const auto& what_if : report.what_ifs) {
        text += csv_line(report, what_if);
    }
    for (const auto& row : report.study.keys) {
        text += csv_line(report, row, "key");
    }
    for (const auto& row : report.study.parameters) {
        text += csv_line(report, row, "parameter");
    }
    return text;
}

std::string sensitivity_json(const SensitivityReport& report, const ArchSpec& arch) {
    auto json = json_head(arch);
    const auto& p = report.launch;
    json["kernel"] = p.kernel;
    json["params"] = p.params;
    json["M"] = dimension_json(p.m);
    json["N"] = dimension_json(p.n);
    json["K"] = dimension_json(p.k);
    json["model"] = report.simulated ? "simulate" : "analytic";
    json["step_pct"] = 100 * report.step;
    json["time"] = json_time(report.study.predicted);
    json["time_with_equal_sms"] = json_time(report.study.base);
    json["keys"] = Json::array();
    for (const auto& row : report.study.keys) {
        json["keys"].push_back(json_row(row));
    }
    json["parameters"] = Json::array();
    for (const auto& row : report.study.parameters) {
        json["parameters"].push_back(json_row(row));
    }
    json["what_if"] = Json::array();
    for (const auto& what_if : report.what_ifs) {
        Json changes;
        for (const auto& [field, value] : what_if.changes) {
            changes[field->key] = value;
        }
        json["what_if"].push_back({{"set", changes},
                                   {"time", json_time(what_if.time)},
                                   {"time_with_equal_sms", json_time(what_if.equal_sms)},
                                   {"reason", what_if.reason}});
    }
    return json_text(json);
}

}  // namespace gpumodel::cli
