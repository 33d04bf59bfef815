// What each limiter costs: the simulation run again without it.
#include <fmt/format.h>

#include "tools/views/chart/bars.h"
#include "tools/views/prediction/report.h"
#include "tools/views/prediction_page/prediction_page.h"

namespace gpumodel::cli::page {
namespace {

using Align = HtmlTable::Align;

std::string signed_time(double seconds) {
    return seconds < 0 ? "-" + human_time(-seconds) : human_time(seconds);
}

}  // namespace

Section what_if_section(const PredictionReport& report) {
    if (report.what_ifs.empty()) {
        return {};
    }
    chart::BarChart bars;
    bars.title = "Part of the time saved by lifting one limiter";
    HtmlTable table(
        {{"without"}, {"saved", Align::number}, {"\u00b1 %", Align::number}, {"what the run assumes"}});
    for (const auto& row : report.what_ifs) {
        if (row.status != ExplainStatus::ok) {
            table.row({escaped(row.name), "\u2013", "\u2013",
                       fmt::format("{}: {}", escaped(to_string(row.status)), escaped(row.reason))});
            continue;
        }
        constexpr int gain = 3;
        constexpr int loss = 6;
        bars.bars.push_back({row.name, row.saved_pct, fmt::format("{:.1f} %", row.saved_pct),
                             fmt::format("{}: {}", row.name, row.relaxed), row.saved_pct >= 0 ? gain : loss});
        table.row({escaped(row.name), figure("", row.saved_seconds * 1e6, signed_time(row.saved_seconds)),
                   fmt::format("{:.1f}", row.error_bound_pct), escaped(row.relaxed)});
    }
    return {
        "what-if", "What would help",
        paragraph("The simulation run again with one limiter lifted at a time. Savings do not add up: behind "
                  "one limiter often waits the next.",
                  "dim small") +
            "<div class=\"sides\"><div>" + bar_chart(bars) + "</div><div>" + table.str() + "</div></div>\n",
        true};
}

}  // namespace gpumodel::cli::page
