#include "tools/views/validate/validate_views.h"

#include <fmt/format.h>

#include <algorithm>

#include "tools/views/prediction/report.h"

namespace gpumodel::cli {
namespace {

std::string shape_text(const ProblemShape& s) {
    return fmt::format("{}x{}x{}", s.m, s.n, s.k);
}

std::string launch_text(const ComparedLaunch& l) {
    const auto& m = *l.measured;
    return m.entry ? m.label : fmt::format("{} {}", m.family, l.params);
}

std::string tau_text(const std::optional<double>& tau) {
    return tau ? fmt::format("{:.2f}", *tau) : "-";
}

// "simulate-sass" in front of a table's rows where there are several models.
std::string model_heading(const TimesView& view, ModelKind model) {
    return view.several_models ? fmt::format("\nmodel {}\n", to_string(model)) : "";
}

std::string groups_text(const TimesView& view) {
    std::string text;
    const GroupRow* before = nullptr;
    for (const auto& r : view.report.groups) {
        if (before == nullptr || before->model != r.model) {
            text += model_heading(view, r.model);
            text += fmt::format("{:<22}  {:>9} {:>8} {:>8} {:>8} {:>8}{}\n", "group", "launches", "MAPE %",
                                "median %", "p90 %", "bias %", view.bands ? "  in band %" : "");
        }
        before = &r;
        const auto& e = r.errors;
        text += fmt::format("{:<22}  {:>9} {:>8.1f} {:>8.1f} {:>8.1f} {:>+8.1f}", e.name, e.launches,
                            e.mape_pct, e.median_pct, e.p90_pct, e.bias_pct);
        if (view.bands && r.coverage.launches > 0) {
            text += fmt::format("{:>11.1f}", r.coverage.inside_pct());
        }
        text += '\n';
    }
    return text;
}

std::string sweeps_text(const TimesView& view) {
    if (view.report.sweeps.empty()) {
        return "";
    }
    auto text = fmt::format(
        "\nsweeps of at least {} configurations\n{:<13}  {:<22}  {:<14}  {:>7} {:>8} {:>6} {:>14} {:>14}\n",
        sweep_configurations, "model", "family", "shape", "configs", "MAPE %", "tau", "top-1 regret %",
        "top-8 regret %");
    for (const auto& s : view.report.sweeps) {
        text += fmt::format("{:<13}  {:<22}  {:<14}  {:>7} {:>8.1f} {:>6.2f} {:>14.1f} {:>14.1f}\n",
                            to_string(s.model), s.family, shape_text(s.shape), s.configurations, s.mape_pct,
                            s.tau, s.top1_regret_pct, s.top8_regret_pct);
    }
    return text;
}

std::string ladders_text(const TimesView& view) {
    if (view.report.ladders.empty()) {
        return "";
    }
    auto text = fmt::format("\nladders\n{:<13}  {:<22}  {:<14}  {:>8} {:>8} {:>8} {:>6}\n", "model", "ladder",
                            "shape", "kernels", "MAPE %", "ratios %", "tau");
    for (const auto& l : view.report.ladders) {
        text += fmt::format("{:<13}  {:<22}  {:<14}  {:>8} {:>8.1f} {:>8.1f} {:>6}\n", to_string(l.model),
                            l.ladder, shape_text(l.shape), l.kernels, l.mape_pct, l.ratio_mape_pct,
                            tau_text(l.tau));
    }
    return text;
}

std::string worst_text(const TimesView& view) {
    std::string text = "\nworst\n";
    text += fmt::format("{:<13}  {:>9} {:>12} {:>12}  {:<14}  {:<20}  {:<24}  {}\n", "model", "error %",
                        "measured us", "predicted us", "shape", "bottleneck", "main stall", "launch");
    for (const auto* l : view.report.worst) {
        const auto& m = *l->measured;
        text +=
            fmt::format("{:<13}  {:>+9.1f} {:>12.1f} {:>12.1f}  {:<14}  {:<20}  {:<24}  {}\n",
                        to_string(l->model), 100 * l->error, m.time_us, l->predicted_us,
                        m.entry ? "" : shape_text({m.m, m.n, m.k}), l->bottleneck, l->stall, launch_text(*l));
    }
    return text;
}

std::string groups_csv(const AccuracyReport& report) {
    std::string text = "group,launches,mape_pct,median_pct,p90_pct,bias_pct,model,in_band_pct\n";
    for (const auto& r : report.groups) {
        const auto& e = r.errors;
        text += csv_record(e.name, e.launches, e.mape_pct, e.median_pct, e.p90_pct, e.bias_pct,
                           to_string(r.model),
                           r.coverage.launches > 0 ? std::optional(r.coverage.inside_pct()) : std::nullopt);
    }
    return text;
}

std::string sweeps_csv(const AccuracyReport& report) {
    std::string text = "model,family,M,N,K,configurations,mape_pct,tau,top1_regret_pct,top8_regret_pct\n";
    for (const auto& s : report.sweeps) {
        text += csv_record(to_string(s.model), s.family, s.shape.m, s.shape.n, s.shape.k, s.configurations,
                           s.mape_pct, s.tau, s.top1_regret_pct, s.top8_regret_pct);
    }
    return text;
}

std::string ladders_csv(const AccuracyReport& report) {
    std::string text = "model,ladder,M,N,K,kernels,mape_pct,ratio_mape_pct,tau\n";
    for (const auto& l : report.ladders) {
        text += csv_record(to_string(l.model), l.ladder, l.shape.m, l.shape.n, l.shape.k, l.kernels,
                           l.mape_pct, l.ratio_mape_pct, l.tau);
    }
    return text;
}

std::string slopes_csv(const AccuracyReport& report) {
    std::string text = "model,error_pct_per_doubling\n";
    for (const auto& s : report.slopes) {
        text += csv_record(to_string(s.model), s.pct_per_doubling);
    }
    return text;
}

std::string row_csv(const ComparedLaunch& l) {
    const auto& m = *l.measured;
    const auto dimension = [&m](std::int64_t value) { return m.entry ? "" : std::to_string(value); };
    return csv_record(m.entry ? m.label : m.family, l.params, dimension(m.m), dimension(m.n), dimension(m.k),
                      l.registers, m.time_us, l.predicted_us, 100 * l.error, l.bottleneck, to_string(l.model),
                      l.stall);
}

constexpr const char* row_header =
    "family,params,M,N,K,registers,measured_us,predicted_us,error_pct,bottleneck,model,main_stall\n";

}  // namespace

std::string times_text(const TimesView& view) {
    auto text = groups_text(view);
    for (const auto& reason : view.comparison.skipped) {
        text += fmt::format("left out: {}\n", reason);
    }
    text += sweeps_text(view) + ladders_text(view);
    text += view.report.slopes.empty() ? "" : "\nwhat a doubling of the size adds to the error\n";
    for (const auto& s : view.report.slopes) {
        text += fmt::format("{:<20}  {:>+9.1f} %\n", to_string(s.model), s.pct_per_doubling);
    }
    return text + worst_text(view);
}

std::string times_csv(const TimesView& view, const std::string& table) {
    if (table == "worst") {
        std::string text = row_header;
        for (const auto* l : view.report.worst) {
            text += row_csv(*l);
        }
        return text;
    }
    return table == "sweeps"    ? sweeps_csv(view.report)
           : table == "ladders" ? ladders_csv(view.report)
           : table == "slopes"  ? slopes_csv(view.report)
                                : groups_csv(view.report);
}

std::string times_rows_header() {
    return row_header;
}

std::string times_row(const ComparedLaunch& launch) {
    return row_csv(launch);
}

std::string gate_text(const std::vector<GateResult>& results) {
    std::string text;
    for (const auto& r : results) {
        const auto& l = r.limit;
        const bool least = l.figure == "launches";
        text += fmt::format("{}  {} {} {}, {}: {} {:.2f}, allowed {} {:.2f}\n", r.passed() ? "pass" : "FAIL",
                            l.arch, l.model, l.measurements, l.group, l.figure, r.value,
                            least ? "at least" : "at most", l.reached + (least ? -l.tolerance : l.tolerance));
    }
    return text;
}

}  // namespace gpumodel::cli
