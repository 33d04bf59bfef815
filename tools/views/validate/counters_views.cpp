#include "tools/views/validate/counters_views.h"

#include <fmt/format.h>

#include "base/csv_text.h"
#include "tools/views/result_json.h"

namespace gpumodel::cli {

std::string counters_text(const std::vector<CounterStatistics>& rows, const CounterComparison& comparison) {
    auto text = fmt::format("{:<56}  {:>9} {:>6} {:>8} {:>7} {:>8}  {}\n", "counter", "launches", "exact",
                            "<= 0.5 %", "mean %", "worst %", "worst launch");
    for (const auto& r : rows) {
        text += fmt::format("{:<56}  {:>9} {:>6} {:>8} {:>7.2f} {:>+8.2f}  {}\n", r.name, r.launches, r.exact,
                            r.close, r.mean_pct, r.worst_pct, r.worst);
    }
    if (const auto& s = comparison.stalls; s.launches > 0) {
        const auto share = [&](std::size_t part) {
            return 100 * static_cast<double>(part) / static_cast<double>(s.launches);
        };
        text += fmt::format(
            "three largest stall reasons of {} launches: the same three {:.1f} %, each within 25 % {:.1f} %, "
            "both {:.1f} %\n",
            s.launches, share(s.same_set), share(s.each_within), share(s.both));
    }
    for (const auto& reason : comparison.skipped) {
        text += fmt::format("left out: {}\n", reason);
    }
    return text;
}

std::string counters_csv(const std::vector<CounterStatistics>& rows) {
    std::string text = "counter,launches,exact,within_half_pct,mean_pct,worst_pct,worst_launch\n";
    for (const auto& r : rows) {
        text += csv_record(r.name, r.launches, r.exact, r.close, r.mean_pct, r.worst_pct, r.worst);
    }
    return text;
}

std::string counter_rows_csv(const CounterTable& table, const CounterComparison& comparison) {
    std::string text = "family,params,M,N,K,counter,measured,predicted,error_pct\n";
    for (const auto& v : comparison.values) {
        const auto& m = v.measured->launch;
        text += csv_record(m.family, params_text(m.params), m.m, m.n, m.k, table.names[v.name],
                           v.measured_value, v.predicted_value, 100 * v.error);
    }
    return text;
}

std::string counters_json(const std::vector<CounterStatistics>& rows, const CounterComparison& comparison,
                          const ArchSpec& arch) {
    auto json = json_head(arch);
    json["counters"] = nlohmann::ordered_json::array();
    for (const auto& r : rows) {
        json["counters"].push_back({{"counter", r.name},
                                    {"launches", r.launches},
                                    {"exact", r.exact},
                                    {"within_half_pct", r.close},
                                    {"mean_pct", r.mean_pct},
                                    {"worst_pct", r.worst_pct},
                                    {"worst_launch", r.worst}});
    }
    const auto& stalls = comparison.stalls;
    json["three_largest_stall_reasons"] = {{"launches", stalls.launches},
                                           {"same_set", stalls.same_set},
                                           {"each_within_25_pct", stalls.each_within},
                                           {"both", stalls.both}};
    json["left_out"] = comparison.skipped;
    return json_text(json);
}

std::string dim_text(const Dim3& d) {
    return fmt::format("{},{},{}", d.x, d.y, d.z);
}

std::string profile_text(const std::vector<ProfiledPrediction>& launches) {
    std::string text;
    for (const auto& l : launches) {
        text += fmt::format("{}{} {}  grid {}  block {}\n", text.empty() ? "" : "\n", l.launch->id,
                            l.launch->kernel, dim_text(l.launch->grid), dim_text(l.launch->block));
        if (l.predictions.empty()) {
            text += fmt::format("  left out: {}\n", l.reason);
        }
        for (const auto& p : l.predictions) {
            text +=
                fmt::format("  {:<66}  {:>16} {:>15} {:>9}\n", fmt::format("counter (model: {})", p.model),
                            "measured", "predicted", "error %");
            for (const auto& c : compare_profile(*l.launch, p)) {
                text += fmt::format("  {:<66}  {:>16} {:>15} {:>+9.1f}\n", c.name, number(c.measured),
                                    number(c.predicted), 100 * c.error);
            }
        }
    }
    return text;
}

std::string profile_csv(const std::vector<ProfiledPrediction>& launches) {
    std::string text = "id,kernel,grid,block,model,status,reason,counter,measured,predicted,error_pct\n";
    for (const auto& l : launches) {
        const auto head =
            csv_cells(l.launch->id, l.launch->kernel, dim_text(l.launch->grid), dim_text(l.launch->block)) +
            ',';
        if (l.predictions.empty()) {
            text += head + csv_record("", "error", l.reason, "", "", "", "");
        }
        for (const auto& p : l.predictions) {
            for (const auto& c : compare_profile(*l.launch, p)) {
                text += head + csv_record(p.model, "ok", "", c.name, c.measured, c.predicted, 100 * c.error);
            }
        }
    }
    return text;
}

std::string profile_json(const std::vector<ProfiledPrediction>& launches, const ArchSpec& arch) {
    auto json = json_head(arch);
    json["launches"] = nlohmann::ordered_json::array();
    for (const auto& l : launches) {
        nlohmann::ordered_json row{{"id", l.launch->id},
                                   {"kernel", l.launch->kernel},
                                   {"grid", {l.launch->grid.x, l.launch->grid.y, l.launch->grid.z}},
                                   {"block", {l.launch->block.x, l.launch->block.y, l.launch->block.z}},
                                   {"reason", l.predictions.empty() ? nlohmann::ordered_json(l.reason)
                                                                    : nlohmann::ordered_json(nullptr)}};
        row["counters"] = nlohmann::ordered_json::array();
        for (const auto& p : l.predictions) {
            for (const auto& c : compare_profile(*l.launch, p)) {
                row["counters"].push_back({{"model", p.model},
                                           {"counter", c.name},
                                           {"measured", c.measured},
                                           {"predicted", c.predicted},
                                           {"error_pct", 100 * c.error}});
            }
        }
        json["launches"].push_back(std::move(row));
    }
    return json_text(json);
}

}  // namespace gpumodel::cli
