// The heat map of a sweep, and its cells as a table.
#include <fmt/format.h>

#include <algorithm>

#include "tools/views/chart/heat_map.h"
#include "tools/views/prediction/report.h"
#include "tools/views/sweep_page/sweep_sections.h"

namespace gpumodel::cli::page {
namespace {

using Align = HtmlTable::Align;

chart::HeatCell cell_of(const std::optional<LaunchRecord>& row, const Sweep& sweep) {
    if (!row) {
        return {std::nullopt, "", "no configuration with a time", false};
    }
    const auto& best = sweep.figures.best.front();
    const bool by_gflops = sweep.survey.ranked_by_gflops();
    const double speed = by_gflops ? *row->gflops / *best.gflops : best.time_us / row->time_us;
    return {
        speed, metric(*row, sweep.survey),
        fmt::format("{}: {} us{}, {:.0f} % of the best", identity_of(*row), four_digits(row->time_us),
                    row->gflops ? fmt::format(", {} GFLOP/s", four_digits(*row->gflops)) : "", 100 * speed),
        rank_of(*row, sweep.survey) == rank_of(best, sweep.survey)};
}

std::string axis_title(const AxisGroups& axis, const SweepSurvey& survey) {
    return axis.name == "M" && survey.cubes ? "M = N = K" : axis.name;
}

// The darkest cell's share of the best speed, so that the whole range of colours is used.
double slowest_shade(const std::vector<chart::HeatCell>& cells) {
    double least = 1;
    for (const auto& cell : cells) {
        least = std::min(least, cell.shade.value_or(1));
    }
    return least;
}

}  // namespace

Section heat_section(const Sweep& sweep) {
    const auto& f = sweep.figures;
    if (f.cells.empty()) {
        return {};
    }
    chart::HeatMap map;
    map.x_name = axis_title(f.x, sweep.survey);
    map.y_name = axis_title(f.y, sweep.survey);
    map.columns = f.x.labels;
    map.rows = f.y.labels.empty() ? std::vector<std::string>{""} : f.y.labels;
    for (const auto& cell : f.cells) {
        map.cells.push_back(cell_of(cell, sweep));
    }
    const double least = slowest_shade(map.cells);
    for (auto& cell : map.cells) {
        if (cell.shade) {
            cell.shade = least < 1 ? (*cell.shade - least) / (1 - least) : 1;
        }
    }
    const char* what = sweep.survey.ranked_by_gflops() ? "GFLOP/s" : "microseconds";
    map.title =
        fmt::format("Best {} over {}{}{}", what, map.x_name, map.y_name.empty() ? "" : " and ", map.y_name);
    map.low_words = fmt::format("{:.0f} %", 100 * least);
    map.high_words = "100 % of the best";
    HtmlTable table({{map.x_name}, {map.y_name}, {what, Align::number}, {"best configuration"}});
    for (std::size_t i = 0; i < f.cells.size(); ++i) {
        if (f.cells[i]) {
            table.row(
                {escaped(map.columns[i % map.columns.size()]), escaped(map.rows[i / map.columns.size()]),
                 fmt::format(
                     R"(<data class="cell" value="{}">{}</data>)",
                     number(sweep.survey.ranked_by_gflops() ? *f.cells[i]->gflops : f.cells[i]->time_us),
                     metric(*f.cells[i], sweep.survey)),
                 "<span class=\"code\">" + escaped(configuration(*f.cells[i], sweep.survey)) + "</span>"});
        }
    }
    return {"heat-map", "Heat map",
            paragraph(fmt::format(
                          "The best configuration of each pair, in {}; all other parameters free. The frame "
                          "marks the best of all.",
                          what),
                      "dim small") +
                "<div class=\"scroll heat\">" + heat_map(map) + "</div>\n" +
                details("Cells as a table", table.str()),
            true};
}

}  // namespace gpumodel::cli::page
