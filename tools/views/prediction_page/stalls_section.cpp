// Where the warps' cycles go: by reason, and by instruction.
#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "model/sim/stalls.h"
#include "tools/views/chart/bars.h"
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
    static constexpr std::array<Shade, stall_reason_count> shades{{{3, false},   // selected
                                                                   {5, false},   // not_selected
                                                                   {7, false},   // wait
                                                                   {8, true},    // branch_resolving
                                                                   {4, false},   // barrier
                                                                   {2, false},   // short_scoreboard
                                                                   {6, false},   // long_scoreboard
                                                                   {1, false},   // math_pipe_throttle
                                                                   {8, false},   // mio_throttle
                                                                   {1, true},    // dispatch_stall
                                                                   {4, true}}};  // no_instruction
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

std::string place_of(const InstructionReport& line) {
    if (line.address > 0) {
        return fmt::format("{:#06x}", line.address);
    }
    return line.index < 0 ? line.segment : fmt::format("{} +{}", line.segment, line.index);
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
    const auto& lines = p.simulation->instructions_by_stall;
    HtmlTable table({{"%", Align::number}, {""}, {"at"}, {"instruction"}, {"access"}, {"main reason"}});
    const auto rows = std::min(most, lines.size());
    double largest = 0;
    for (std::size_t i = 0; i < rows; ++i) {
        const auto& line = lines[i];
        const double cycles = std::accumulate(line.stall_cycles.begin(), line.stall_cycles.end(), 0.0);
        const double share = cycles / p.simulation->warp_cycles;
        largest = std::max(largest, share);
        const auto reason = main_stall(line);
        table.row({fmt::format("{:.1f}", 100 * share), inline_bar(share / largest), escaped(place_of(line)),
                   fmt::format("<code>{}</code>", escaped(line.mnemonic)),
                   escaped(line.address > 0 ? "" : line.site),
                   fmt::format("{} ({:.0f} %)", escaped(to_string(reason.reason)), reason.share_pct)});
    }
    auto html = paragraph("Where warps spend most of their cycles.", "dim small") + table.str();
    if (rows < lines.size()) {
        html += paragraph(fmt::format("{} more instructions.", lines.size() - rows), "dim small");
    }
    return {"instructions", "Hot instructions", std::move(html), true};
}

}  // namespace gpumodel::cli::page
