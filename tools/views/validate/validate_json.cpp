// The json view of `gpumodel validate`.
#include "tools/views/result_json.h"
#include "tools/views/validate/validate_views.h"

namespace gpumodel::cli {
namespace {

using Json = nlohmann::ordered_json;

Json groups_json(const AccuracyReport& report) {
    Json list = Json::array();
    for (const auto& r : report.groups) {
        const auto& e = r.errors;
        list.push_back(
            {{"model", to_string(r.model)},
             {"group", e.name},
             {"launches", e.launches},
             {"mape_pct", e.mape_pct},
             {"median_pct", e.median_pct},
             {"p90_pct", e.p90_pct},
             {"bias_pct", e.bias_pct},
             {"in_band_pct", r.coverage.launches > 0 ? Json(r.coverage.inside_pct()) : Json(nullptr)}});
    }
    return list;
}

Json shaped(ModelKind model, const char* key, const std::string& name, const ProblemShape& shape) {
    return {{"model", to_string(model)}, {key, name}, {"M", shape.m}, {"N", shape.n}, {"K", shape.k}};
}

Json sweeps_json(const AccuracyReport& report) {
    Json list = Json::array();
    for (const auto& s : report.sweeps) {
        auto row = shaped(s.model, "family", s.family, s.shape);
        row["configurations"] = s.configurations;
        row["mape_pct"] = s.mape_pct;
        row["tau"] = s.tau;
        row["top1_regret_pct"] = s.top1_regret_pct;
        row["top8_regret_pct"] = s.top8_regret_pct;
        list.push_back(std::move(row));
    }
    return list;
}

Json ladders_json(const AccuracyReport& report) {
    Json list = Json::array();
    for (const auto& l : report.ladders) {
        auto row = shaped(l.model, "ladder", l.ladder, l.shape);
        row["kernels"] = l.kernels;
        row["mape_pct"] = l.mape_pct;
        row["ratio_mape_pct"] = l.ratio_mape_pct;
        row["tau"] = json_optional(l.tau);
        list.push_back(std::move(row));
    }
    return list;
}

Json launch_json(const ComparedLaunch& l) {
    const auto& m = *l.measured;
    auto row = shaped(l.model, m.entry ? "kernel" : "family", m.entry ? m.label : m.family, {m.m, m.n, m.k});
    row["params"] = l.params;
    row["registers"] = l.registers;
    row["measured_us"] = m.time_us;
    row["predicted_us"] = l.predicted_us;
    row["error_pct"] = 100 * l.error;
    row["bottleneck"] = l.bottleneck;
    row["main_stall"] = l.stall.empty() ? Json(nullptr) : Json(l.stall);
    return row;
}

}  // namespace

std::string times_json(const TimesView& view, const ArchSpec& arch) {
    auto json = json_head(arch);
    json["groups"] = groups_json(view.report);
    json["sweeps"] = sweeps_json(view.report);
    json["ladders"] = ladders_json(view.report);
    json["slopes"] = Json::array();
    for (const auto& s : view.report.slopes) {
        json["slopes"].push_back(
            {{"model", to_string(s.model)}, {"error_pct_per_doubling", s.pct_per_doubling}});
    }
    json["worst"] = Json::array();
    for (const auto* l : view.report.worst) {
        json["worst"].push_back(launch_json(*l));
    }
    json["left_out"] = view.comparison.skipped;
    return json_text(json);
}

}  // namespace gpumodel::cli
