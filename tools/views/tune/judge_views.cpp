#include "tools/views/tune/judge_views.h"

#include <fmt/format.h>

#include <algorithm>

#include "tools/views/prediction/report.h"
#include "tools/views/result_json.h"
#include "validate/accuracy/accuracy_report.h"

namespace gpumodel::cli::tuning {
namespace {

std::string pct(const std::optional<double>& value) {
    return value ? fmt::format("{:.1f}", *value) : "-";
}

std::string mean_text(const std::vector<JudgedChoice>& rows) {
    double top1 = 0, top8 = 0, worst = 0, expected = 0;
    std::size_t count = 0, with_expected = 0;
    for (const auto& r : rows) {
        if (r.configurations < sweep_configurations) {
            continue;
        }
        ++count;
        top1 += r.top1_regret_pct;
        top8 += r.top8_regret_pct;
        worst = std::max(worst, r.top1_regret_pct);
        expected += r.expected_loss_pct.value_or(0);
        with_expected += r.expected_loss_pct ? 1U : 0U;
    }
    if (count == 0) {
        return "";
    }
    const auto n = static_cast<double>(count);
    return fmt::format(
        "\n{} sweeps of at least {} configurations: mean regret of the best 1 {:.2f} % (worst {:.1f} %, "
        "expected "
        "{}), of the best 8 {:.2f} %\n",
        count, sweep_configurations, top1 / n, worst,
        with_expected == count ? fmt::format("{:.2f} %", expected / n) : "unknown", top8 / n);
}

}  // namespace

std::string judged_text(const std::vector<JudgedChoice>& rows, const SearchSettings& settings) {
    auto text = fmt::format(
        "ranked by {}, over the measured configurations\n{:<18}  {:<16} {:>7} {:>6} {:>8} {:>8} {:>11} "
        "{:>10}\n",
        to_string(settings.ranked_by), "family", "shape", "configs", "tau", "top-1 %", "top-8 %", "default %",
        "expected %");
    for (const auto& r : rows) {
        const auto& s = r.shape;
        text += fmt::format("{:<18}  {:<16} {:>7} {:>6} {:>8.1f} {:>8.1f} {:>11} {:>10}\n", r.family,
                            fmt::format("{}x{}x{}", s.m, s.n, s.k), r.configurations,
                            r.tau ? fmt::format("{:.2f}", *r.tau) : "-", r.top1_regret_pct, r.top8_regret_pct,
                            pct(r.default_regret_pct), pct(r.expected_loss_pct));
    }
    return text + mean_text(rows);
}

std::string judged_csv(const std::vector<JudgedChoice>& rows, const SearchSettings& settings) {
    std::string text =
        "kernel,M,N,K,ranked_by,configurations,kendall_tau,top1_regret_pct,top8_regret_pct,default_regret_"
        "pct,"
        "expected_loss_pct\n";
    for (const auto& r : rows) {
        text += csv_record(r.family, r.shape.m, r.shape.n, r.shape.k, to_string(settings.ranked_by),
                           r.configurations, r.tau, r.top1_regret_pct, r.top8_regret_pct,
                           r.default_regret_pct, r.expected_loss_pct);
    }
    return text;
}

std::string judged_json(const std::vector<JudgedChoice>& rows, const ArchSpec& arch,
                        const SearchSettings& settings) {
    auto json = json_head(arch);
    json["ranked_by"] = to_string(settings.ranked_by);
    json["judged"] = nlohmann::ordered_json::array();
    for (const auto& r : rows) {
        json["judged"].push_back({{"kernel", r.family},
                                  {"M", r.shape.m},
                                  {"N", r.shape.n},
                                  {"K", r.shape.k},
                                  {"configurations", r.configurations},
                                  {"kendall_tau", json_optional(r.tau)},
                                  {"top1_regret_pct", r.top1_regret_pct},
                                  {"top8_regret_pct", r.top8_regret_pct},
                                  {"default_regret_pct", json_optional(r.default_regret_pct)},
                                  {"expected_loss_pct", json_optional(r.expected_loss_pct)}});
    }
    return json_text(json);
}

}  // namespace gpumodel::cli::tuning
