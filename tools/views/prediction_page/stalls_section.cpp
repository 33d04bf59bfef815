// Where the warps' cycles go, by reason.
#include <fmt/format.h>

#include <algorithm>

#include "tools/views/chart/bars.h"
#include "tools/views/prediction/shared_rows.h"
#include "tools/views/prediction_page/prediction_page.h"
#include "tools/views/prediction_page/stall_shades.h"

namespace gpumodel::cli::page {
namespace {

using Align = HtmlTable::Align;

chart::Part part_of(const StallShare& stall) {
    const auto shade = shade_of(stall.reason);
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

}  // namespace gpumodel::cli::page
