// What limits the launch: every lower bound, and the terms that the time is made of.
#include <fmt/format.h>

#include <algorithm>

#include "model/analytic/bounds.h"
#include "tools/views/chart/bars.h"
#include "tools/views/prediction/report.h"
#include "tools/views/prediction/shared_rows.h"
#include "tools/views/prediction_page/prediction_page.h"

namespace gpumodel::cli::page {
namespace {

using Align = HtmlTable::Align;

std::string bounds_chart(const Prediction& p) {
    constexpr int plain = 1;        // blue
    constexpr int highlighted = 6;  // vermillion
    chart::BarChart bars;
    bars.title = "Lower bounds on the launch, each by one cause alone, of the predicted time";
    bars.reference = 1;
    bars.reference_label = fmt::format("predicted {}", human_time(p.time_seconds));
    for (const auto& bound : p.bounds) {
        const bool winner = is_bottleneck(p, bound);
        const double share = share_of_time(bound, p);
        bars.bars.push_back({bound.name, std::min(1.0, share), fmt::format("{:.1f} %", 100 * share),
                             fmt::format("{}: {:.0f} cycles = {}", bound.name, bound.cycles, bound.formula),
                             winner ? highlighted : plain, winner});
    }
    return bar_chart(bars);
}

std::string bounds_table(const Prediction& p) {
    HtmlTable table({{"bound"}, {"cycles", Align::number}, {"% of time", Align::number}, {"formula"}});
    for (const auto& bound : p.bounds) {
        table.row({escaped(bound.name), figure("", bound.cycles, fmt::format("{:.0f}", bound.cycles)),
                   fmt::format("{:.1f}", 100 * share_of_time(bound, p)), escaped(bound.formula)},
                  is_bottleneck(p, bound) ? "win" : "");
    }
    return table.str();
}

std::string microseconds(double cycles, double hz) {
    return human_time(cycles / hz);
}

// Rounds and tail as the analytic model has them.
std::string rounds(const Prediction& p, double hz) {
    const double launch = p.terms.launch_seconds * hz;
    const double even = p.terms.steady_cycles + p.terms.tail_cycles;
    const double rest = std::max(0.0, p.cycles - even);  // where block dispatch is the limit
    const auto part = [&](const char* name, double cycles, int colour) {
        return chart::Part{name, cycles, microseconds(cycles, hz), colour};
    };
    std::string html = "<h3>By the analytic model</h3>\n";
    html += chart::stacked_bar(
        "Time of the launch by its terms",
        {part("full rounds", p.terms.steady_cycles, 1), part("tail round", p.terms.tail_cycles, 2),
         part("dispatch", rest, 4), part("launch", launch, 3)});
    HtmlTable table({{"term"}, {"cycles", Align::number}, {"meaning"}});
    const auto row = [&](const char* name, double cycles, const std::string& meaning) {
        table.row({escaped(name), fmt::format("{:.0f}", cycles), escaped(meaning)});
    };
    row("full rounds", p.terms.steady_cycles,
        fmt::format("{} rounds of {} blocks on the busiest SM", p.waves.full_rounds, p.waves.blocks_per_sm));
    row("tail round", p.terms.tail_cycles, fmt::format("its last {} blocks", p.waves.tail_blocks));
    row("wave quantisation", p.terms.quantisation_cycles,
        "of both, lost because blocks cannot be dealt in fractions");
    row("one block alone", p.terms.block_alone_cycles,
        fmt::format("of which waiting {:.0f}, at barriers {:.0f}", p.terms.block_latency_cycles,
                    p.terms.block_barrier_cycles));
    return html + details("Terms in cycles", table.str());
}

}  // namespace

Section bounds_section(const PredictionReport& report) {
    const auto& p = report.main();
    return {
        "bounds", "Bottlenecks",
        paragraph(
            "Lower bounds on the time, each by one cause alone. Highlighted: what saves most if its limit "
            "is lifted (one model alone: the largest).",
            "dim small") +
            bounds_chart(p) + details("Cycles and formulas", bounds_table(p))};
}

Section time_section(const PredictionReport& report) {
    const auto& p = report.main();
    const auto& w = p.waves;
    HtmlTable table({{"term"}, {"value"}});
    const auto row = [&](const char* name, const std::string& html) { table.row({escaped(name), html}); };
    row("SM cycles", figure("cycles", p.cycles, fmt::format("{:.0f}", p.cycles)));
    row("Launch overhead",
        figure("launch_overhead_us", p.terms.launch_seconds * 1e6, human_time(p.terms.launch_seconds)));
    row("Grid", fmt::format("{} blocks of {} threads", grid_text(p.grid, " \u00d7 "), p.resources.threads));
    row("Waves", figure("waves", w.waves, fmt::format("{:.2f}", w.waves)) +
                     fmt::format(" over {} SMs; the busiest runs {} blocks, {} at a time", w.sm_count,
                                 w.busiest_sm_blocks, w.blocks_per_sm));
    if (p.simulation) {
        row("Simulated", escaped(simulated_part(*p.simulation)));
        row("Issue slots used", fmt::format("{:.1f} %", 100 * p.simulation->issue_active));
    }
    const auto* analytic = report.analytic();
    return {"time", "Time", table.str() + (analytic != nullptr ? rounds(*analytic, p.sm_hz) : "")};
}

}  // namespace gpumodel::cli::page
