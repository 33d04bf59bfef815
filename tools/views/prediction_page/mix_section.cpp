// What was issued, by kind, and how busy the pipes were with it.
#include <fmt/format.h>

#include <algorithm>

#include "base/enum_table.h"
#include "tools/views/chart/bars.h"
#include "tools/views/prediction/report.h"
#include "tools/views/prediction_page/prediction_page.h"

namespace gpumodel::cli::page {
namespace {

using Align = HtmlTable::Align;

constexpr auto group_names = enum_words<OpGroup>(
    "FP32", "FP64, FP16", "integer, logic", "move", "special, convert", "shuffle", "shared load",
    "shared store", "global load", "global store", "asynchronous copy", "barrier", "branch", "tensor");

struct Kind {
    std::size_t group = 0;
    double issues = 0;
};

// Most first.
std::vector<Kind> kinds_of(const SimulationReport& run) {
    std::vector<Kind> kinds(group_names.size());
    for (std::size_t g = 0; g < kinds.size(); ++g) {
        kinds[g].group = g;
    }
    for (const auto& line : run.instructions_by_stall) {
        kinds[static_cast<std::size_t>(group_of(line.op))].issues += line.issues;
    }
    std::erase_if(kinds, [](const Kind& kind) { return kind.issues <= 0; });
    std::stable_sort(kinds.begin(), kinds.end(),
                     [](const Kind& a, const Kind& b) { return a.issues > b.issues; });
    return kinds;
}

std::string mix_chart(const std::vector<Kind>& kinds, double all) {
    constexpr std::size_t colours = 8;
    std::vector<chart::Part> parts;
    for (std::size_t i = 0; i < kinds.size(); ++i) {
        const double share = 100 * kinds[i].issues / all;
        parts.push_back({std::string(group_names[kinds[i].group]), share, fmt::format("{:.1f} %", share),
                         static_cast<int>(i % colours) + 1, i >= colours});
    }
    return stacked_bar("Warp instructions of the busiest SM by kind", parts);
}

std::string mix_table(const std::vector<Kind>& kinds, double all) {
    HtmlTable table({{"kind"}, {"warp instructions", Align::number}, {"%", Align::number}});
    for (const auto& kind : kinds) {
        table.row({escaped(group_names[kind.group]),
                   figure("", kind.issues, grouped(static_cast<std::int64_t>(kind.issues + 0.5))),
                   fmt::format("{:.1f}", 100 * kind.issues / all)});
    }
    return table.str();
}

std::string pipe_chart(const SimulationReport& run) {
    auto pipes = run.pipes;
    pipes.push_back({"data pipe", 0, run.data_pipe});
    std::stable_sort(pipes.begin(), pipes.end(),
                     [](const PipeReport& a, const PipeReport& b) { return a.utilisation > b.utilisation; });
    chart::BarChart bars;
    bars.title = "Work of each pipe over what it can do in the launch's cycles";
    bars.whole = 1;
    for (const auto& pipe : pipes) {
        bars.bars.push_back({std::string(pipe.name), std::min(1.0, pipe.utilisation),
                             fmt::format("{:.1f} %", 100 * pipe.utilisation),
                             fmt::format("{}: {:.1f} % of its peak, {:.0f} warp instructions", pipe.name,
                                         100 * pipe.utilisation, pipe.instructions)});
    }
    return bar_chart(bars);
}

std::string pipe_table(const SimulationReport& run) {
    HtmlTable table({{"pipe"}, {"warp instructions", Align::number}, {"% of peak", Align::number}});
    for (const auto& pipe : run.pipes) {
        table.row({escaped(pipe.name),
                   figure(fmt::format("pipe_{}_instructions", pipe.name), pipe.instructions,
                          grouped(static_cast<std::int64_t>(pipe.instructions + 0.5))),
                   figure(fmt::format("pipe_{}_pct", pipe.name), 100 * pipe.utilisation,
                          fmt::format("{:.1f}", 100 * pipe.utilisation))});
    }
    table.row({"data pipe (wavefronts)", "",
               figure("data_pipe_pct", 100 * run.data_pipe, fmt::format("{:.1f}", 100 * run.data_pipe))});
    return table.str();
}

}  // namespace

Section mix_section(const PredictionReport& report) {
    const auto& p = report.main();
    if (!p.simulation || p.simulation->instructions <= 0) {
        return {};
    }
    const auto kinds = kinds_of(*p.simulation);
    double all = 0;
    for (const auto& kind : kinds) {
        all += kind.issues;
    }
    if (all <= 0) {
        return {};
    }
    return {"mix", "Instruction mix and pipes",
            "<div class=\"sides even\"><div><h3>Warp instructions by kind</h3>\n" + mix_chart(kinds, all) +
                details("Counts", mix_table(kinds, all)) + "</div>\n<div><h3>Pipes, of their peak</h3>\n" +
                pipe_chart(*p.simulation) + details("Figures", pipe_table(*p.simulation)) + "</div></div>\n",
            true};
}

}  // namespace gpumodel::cli::page
