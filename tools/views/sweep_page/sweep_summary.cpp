// The first screen of a sweep's page, its best rows, and how far to trust them.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tools/views/prediction/report.h"
#include "tools/views/sweep_page/sweep_sections.h"

namespace gpumodel::cli::page {
namespace {

using Align = HtmlTable::Align;
using Counts = std::map<std::string, std::int64_t>;

std::string count(const Counts& counts, const std::string& key) {
    const auto found = counts.find(key);
    return fmt::format("{}", found == counts.end() ? 0 : found->second);
}

// Times of several problem sizes say nothing about each other.
std::string best_tiles(const LaunchRecord& best, const SweepSurvey& survey) {
    const auto time = figure("best_time_us", best.time_us, human_time(best.time_us * 1e-6));
    if (survey.ranked_by_gflops()) {
        return tile("Best", figure("best_gflops", *best.gflops, human_si(*best.gflops * 1e9, "FLOP/s")),
                    "of several problem sizes") +
               tile("Its time", time, "");
    }
    const auto& rows = survey.models.at(survey.model());
    return tile("Best time", time, best.gflops ? human_si(*best.gflops * 1e9, "FLOP/s") : "") +
           tile("Slowest to fastest", fmt::format("{:.3g} \u00d7", rows.slowest_us / rows.fastest_us),
                "over all rows with a time");
}

}  // namespace

std::string four_digits(double value) {
    const int before = value >= 1 ? static_cast<int>(std::log10(value)) + 1 : 1;
    return fmt::format("{:.{}f}", value, std::max(0, 4 - before));
}

std::string metric(const LaunchRecord& row, const SweepSurvey& survey) {
    return four_digits(survey.ranked_by_gflops() ? *row.gflops : row.time_us);
}

std::string configuration(const LaunchRecord& row, const SweepSurvey& survey) {
    std::string text;
    for (const auto& [name, value] : axes_of(row)) {
        const auto* axis = survey.find(name);
        const bool same_as_m = survey.cubes && (name == "N" || name == "K");
        if (axis != nullptr && axis->values.size() > 1 && !same_as_m) {
            text += fmt::format("{}{}={}", text.empty() ? "" : " ", name, value);
        }
    }
    return text.empty() ? identity_of(row) : text;
}

Section sweep_summary(const Sweep& sweep) {
    const auto& s = sweep.survey;
    std::string html = "<dl class=\"tiles\">\n";
    const auto model = s.model();
    html += tile("Rows", fmt::format(R"(<data id="rows" value="{0}">{0}</data>)", s.rows),
                 model.empty() ? "none has a time"
                               : fmt::format("{} with a time, model {}", s.models.at(model).rows, model));
    html += tile(
        "Rejected",
        fmt::format(R"(<data id="rejected_rows" value="{0}">{0}</data>)",
                    s.rows - std::stoll(count(s.status, "ok"))),
        fmt::format("{} infeasible, {} errors", count(s.status, "infeasible"), count(s.status, "error")));
    if (!sweep.figures.best.empty()) {
        const auto& best = sweep.figures.best.front();
        html += best_tiles(best, s);
    }
    html += "</dl>\n";
    if (!sweep.figures.best.empty()) {
        html += fmt::format("<p class=\"verdict\"><strong>Best:</strong> {}</p>\n",
                            escaped(identity_of(sweep.figures.best.front())));
    }
    return {"summary", "", std::move(html), true};
}

Section best_section(const Sweep& sweep) {
    const auto& f = sweep.figures;
    if (f.best.empty()) {
        return {};
    }
    std::vector<HtmlTable::Column> columns{{"", Align::number},       {"time", Align::number},
                                           {"slower", Align::number}, {"GFLOP/s", Align::number},
                                           {"configuration"},         {"bottleneck"}};
    if (!f.other_times_us.empty()) {
        columns.push_back({"other model", Align::number});
    }
    HtmlTable table(std::move(columns));
    std::size_t place = 0;
    for (const auto& row : f.best) {
        const bool by_gflops = sweep.survey.ranked_by_gflops();
        const double slower =
            by_gflops ? *f.best.front().gflops / *row.gflops : row.time_us / f.best.front().time_us;
        std::vector<std::string> cells{
            fmt::format("{}", ++place),
            figure("", row.time_us, human_time(row.time_us * 1e-6)),
            place == 1 ? "" : fmt::format("{:+.1f} %", 100 * (slower - 1)),
            row.gflops ? four_digits(*row.gflops) : "",
            "<span class=\"code\">" + escaped(configuration(row, sweep.survey)) + "</span>",
            escaped(row.bottleneck)};
        if (!f.other_times_us.empty()) {
            const auto other = f.other_times_us.find(identity_of(row));
            cells.push_back(other == f.other_times_us.end() ? "" : escaped(human_time(other->second * 1e-6)));
        }
        table.row(cells);
    }
    return {"top", fmt::format("Best {}", f.best.size()), table.str(), true};
}

Section sweep_accuracy(const Sweep& sweep) {
    const auto& f = sweep.figures;
    if (f.best.empty()) {
        return {};
    }
    std::string html;
    if (f.least_band_pct) {
        const auto band =
            *f.least_band_pct == *f.largest_band_pct
                ? fmt::format("\u00b1{:.0f} %", *f.least_band_pct)
                : fmt::format("\u00b1{:.0f} to \u00b1{:.0f} %", *f.least_band_pct, *f.largest_band_pct);
        html += paragraph(
            fmt::format("For 9 of 10 launches the measured time lies within {} of the predicted one.", band));
    }
    if (f.least_band_pct && !sweep.survey.ranked_by_gflops()) {
        html += paragraph(
            fmt::format("{} configurations lie so close to the best that the error band does not tell "
                        "them apart: measure these before choosing.",
                        f.within_band));
    }
    if (f.without_band > 0) {
        html += paragraph(
            fmt::format("{} rows are of a family and generation of which nothing has been measured: how far "
                        "their times may be off is unknown.",
                        f.without_band));
    }
    html += paragraph("To compare with measured launches of your own:", "dim small");
    html +=
        fmt::format("<p><code>gpumodel validate --arch {} --measurements times.csv --split all</code></p>\n",
                    escaped(f.best.front().arch));
    return {"accuracy", "Accuracy", std::move(html)};
}

}  // namespace gpumodel::cli::page
