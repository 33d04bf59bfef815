// What some warps did in a steady stretch, cycle by cycle.
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "tools/views/chart/svg.h"
#include "tools/views/prediction_page/prediction_page.h"
#include "tools/views/prediction_page/stall_shades.h"

namespace gpumodel::cli::page {
namespace {

constexpr double cell_width = 9;
constexpr double row_height = 15;
constexpr double label_width = 86;
constexpr double head = 20;

// Issues are solid and tall, waits are low and in the colour of their reason.
struct Look {
    bool issued = false;
    Shade shade;
    std::string meaning;
};

std::map<char, Look> looks() {
    std::map<char, Look> found;
    for (const auto& entry : timeline_legend()) {
        found[entry.letter] = {true, shade_of(StallReason::selected), entry.meaning};
    }
    for (std::size_t r = 0; r < stall_reason_count; ++r) {
        const auto reason = static_cast<StallReason>(r);
        if (reason != StallReason::selected) {
            found[timeline_letter(reason)] = {false, shade_of(reason), std::string(to_string(reason))};
        }
    }
    return found;
}

std::string classes_of(const Look& look) {
    return fmt::format("c{}{}", look.shade.colour, look.shade.faint ? " faint" : "");
}

void draw_row(chart::Svg& svg, const TimelineRow& row, double top, std::int64_t from,
              const std::map<char, Look>& known) {
    svg.text({label_width - 8, top + 11}, fmt::format("S{} B{} W{}", row.scheduler, row.slot, row.warp),
             "dim small", chart::Anchor::end);
    for (std::size_t begin = 0; begin < row.cells.size();) {
        std::size_t end = begin + 1;
        const char letter = row.cells[begin];
        const auto look = known.find(letter);
        const bool issued = look != known.end() && look->second.issued;
        while (!issued && end < row.cells.size() && row.cells[end] == letter) {
            ++end;
        }
        if (look != known.end()) {
            const double x = label_width + cell_width * static_cast<double>(begin);
            const double width = cell_width * static_cast<double>(end - begin);
            const auto first = from + static_cast<std::int64_t>(begin);
            const auto tip = fmt::format("cycles {} to {}: {}{}", first,
                                         first + static_cast<std::int64_t>(end - begin) - 1,
                                         issued ? "issued " : "", look->second.meaning);
            svg.rect({x, issued ? top + 1 : top + 5}, issued ? width - 0.5 : width, issued ? 13.0 : 5.0,
                     classes_of(look->second), tip);
            if (issued) {
                svg.text({x + cell_width / 2, top + 11}, std::string(1, letter), "small letter",
                         chart::Anchor::middle);
            }
        }
        begin = end;
    }
}

std::string legend(const TimelineView& timeline, const std::map<char, Look>& known) {
    std::string html = "<ul class=\"legend\">\n";
    for (const auto& [letter, look] : known) {
        const bool occurs = std::any_of(timeline.rows.begin(), timeline.rows.end(),
                                        [letter = letter](const TimelineRow& row) {
                                            return row.cells.find(letter) != std::string::npos;
                                        });
        if (occurs) {
            html +=
                fmt::format("<li><span class=\"swatch{}\" style=\"background:var(--c{})\">{}</span>{}</li>\n",
                            look.shade.faint ? " faint" : "", look.shade.colour,
                            look.issued ? std::string(1, letter) : "", escaped(look.meaning));
        }
    }
    return html + "</ul>\n";
}

}  // namespace

Section timeline_section(const PredictionReport& report) {
    if (!report.timeline || report.timeline->rows.empty()) {
        return {};
    }
    const auto& timeline = *report.timeline;
    const auto& window = timeline.window;
    const auto known = looks();
    const double width = label_width + cell_width * static_cast<double>(window.cycles);
    const double height = head + row_height * static_cast<double>(timeline.rows.size()) + 4;
    chart::Svg svg(width, height, "What each warp did, cycle by cycle");
    constexpr std::int64_t tick = 10;
    for (std::int64_t c = 0; c < window.cycles; c += tick) {
        const double x = label_width + cell_width * static_cast<double>(c);
        svg.line({x, head - 4}, {x, height}, "grid");
        svg.text({x + 2, head - 7}, fmt::format("{}", window.from + c), "dim small");
    }
    double top = head;
    for (const auto& row : timeline.rows) {
        draw_row(svg, row, top, window.from, known);
        top += row_height;
    }
    const auto words = fmt::format(
        "Cycles {} to {} of {} simulated, half-way through a block; {} of {} warps of the SM, by scheduler "
        "(S), "
        "block slot (B) and warp (W). Blocks with a letter: the warp issued; bars: why it did not.",
        window.from, window.from + window.cycles - 1, timeline.last_cycle, timeline.rows.size(),
        timeline.warps);
    return {"timeline", "Timeline",
            paragraph(words, "dim small") + "<div class=\"scroll\"><div class=\"large\">" + svg.str() +
                "</div></div>\n" + legend(timeline, known),
            true};
}

}  // namespace gpumodel::cli::page
