// Where the warps' cycles go: by reason, and by instruction.
#include <fmt/format.h>

#include <algorithm>

#include "base/enum_table.h"
#include "tools/views/chart/bars.h"
#include "tools/views/prediction/shared_rows.h"
#include "tools/views/prediction_page/prediction_page.h"

namespace gpumodel::cli::page {
namespace {

using Align = HtmlTable::Align;

// The same colour for a reason on every page.
chart::Part part_of(const StallShare& stall) {
    struct Shade {
        int colour;
        bool faint;
    };
    static constexpr auto shades = enum_table<StallReason, Shade>(Shade{3, false},  // selected
                                                                  Shade{5, false},  // not_selected
                                                                  Shade{7, false},  // wait
                                                                  Shade{8, true},   // branch_resolving
                                                                  Shade{4, false},  // barrier
                                                                  Shade{2, false},  // short_scoreboard
                                                                  Shade{6, false},  // long_scoreboard
                                                                  Shade{1, false},  // math_pipe_throttle
                                                                  Shade{8, false},  // mio_throttle
                                                                  Shade{1, true},   // dispatch_stall
                                                                  Shade{4, true});  // no_instruction
    const auto shade = shades.at(static_cast<std::size_t>(stall.reason));
    return {std::string(to_string(stall.reason)), stall.share_pct, fmt::format("{:.1f} %", stall.share_pct),
            shade.colour, shade.faint};
}

std::string stalls_table(const std::vector<StallShare>& stalls) {
    HtmlTable table({{"reason"},
                     {"% of cycles", Align::number},
                     {"cycles per issue", Align::number},
                     {"the warp waits for"}});
    for (const auto& stall : stalls) {
        table.row({escaped(to_string(stall.reason)),
                   figure(fmt::format("stall_{}", to_string(stall.reason)), stall.share_pct,
                          fmt::format("{:.1f}", stall.share_pct)),
                   fmt::format("{:.2f}", stall.cycles_per_issue), escaped(stall_words(stall.reason))});
    }
    return table.str();
}

}  // namespace

Section stalls_section(const PredictionReport& report) {
    const auto& p = report.main();
    if (!p.simulation) {
        return {};
    }
    const auto stalls = ranked_stalls(*p.simulation);
    std::vector<chart::Part> parts;
    std::transform(stalls.begin(), stalls.end(), std::back_inserter(parts), part_of);
    return {
        "stalls", "Warp stalls",
        paragraph("Every cycle of a resident warp has exactly one reason; they sum to 100 %.", "dim small") +
            stacked_bar("Cycles of resident warps by stall reason", parts) +
            details("Cycles per issued instruction", stalls_table(stalls))};
}

Section instructions_section(const PredictionReport& report) {
    constexpr std::size_t most = 12;
    const auto& p = report.main();
    if (!p.simulation || p.simulation->instructions_by_stall.empty()) {
        return {};
    }
    const auto& run = *p.simulation;
    HtmlTable table({{"%", Align::number}, {""}, {"at"}, {"instruction"}, {"access"}, {"main reason"}});
    const auto rows = hot_instructions(run, most);
    double largest = 0;
    for (const auto& row : rows) {
        largest = std::max(largest, row.share);
        table.row(
            {fmt::format("{:.1f}", 100 * row.share), inline_bar(row.share / largest),
             escaped(place_of(*row.line)), fmt::format("<code>{}</code>", escaped(row.line->mnemonic)),
             escaped(row.line->address > 0 ? "" : row.line->site),
             fmt::format("{} ({:.0f} %)", escaped(to_string(row.reason.reason)), row.reason.share_pct)});
    }
    auto html = paragraph("Where warps spend most of their cycles.", "dim small") + table.str();
    if (rows.size() < run.instructions_by_stall.size()) {
        html +=
            paragraph(fmt::format("{} more instructions.", run.instructions_by_stall.size() - rows.size()),
                      "dim small");
    }
    return {"instructions", "Hot instructions", std::move(html), true};
}

}  // namespace gpumodel::cli::page
