// Memory: bytes between the levels, each access site, and how shared accesses meet the banks.
#include <fmt/format.h>

#include <algorithm>

#include "tools/views/chart/bars.h"
#include "tools/views/memory/bank_drawing.h"
#include "tools/views/prediction/report.h"
#include "tools/views/prediction/shared_rows.h"
#include "tools/views/prediction_page/hierarchy_chart.h"
#include "tools/views/prediction_page/prediction_page.h"

namespace gpumodel::cli::page {
namespace {

using Align = HtmlTable::Align;

constexpr std::size_t most_pictures = 8;

SiteCosts chosen_sites(const Prediction& p, bool shared) {
    return costliest_sites(p,
                           [shared](MemorySpace space) { return (space == MemorySpace::shared) == shared; });
}

std::string edges_table(const MemoryHierarchy& hierarchy, const Prediction& p) {
    HtmlTable table({{"between"},
                     {"read", Align::number},
                     {"written", Align::number},
                     {"rate", Align::number},
                     {"% of peak", Align::number}});
    for (const auto& edge : hierarchy.edges) {
        const double rate = edge.bytes() / p.time_seconds;
        table.row(
            {escaped(edge.name),
             figure(fmt::format("{}_read_bytes", edge.id), edge.read_bytes, human_bytes(edge.read_bytes)),
             figure(fmt::format("{}_write_bytes", edge.id), edge.write_bytes, human_bytes(edge.write_bytes)),
             escaped(human_si(rate, "B/s")),
             edge.peak_bytes_per_second ? fmt::format("{:.1f}", 100 * rate / *edge.peak_bytes_per_second)
                                        : ""});
    }
    return table.str() + paragraph(fmt::format("The launch touches {} of distinct bytes in device memory.",
                                               human_bytes(p.traffic.unique_bytes)),
                                   "dim small");
}

std::string ratio_chart(const std::vector<SiteCost>& sites, bool shared) {
    constexpr int ideal_colour = 3;
    constexpr int wasteful_colour = 6;
    constexpr double tolerance = 1.05;
    chart::BarChart bars;
    bars.width = chart::narrow_chart_width;
    bars.title =
        shared ? "Shared accesses: bank passes per instruction" : "Global accesses: sectors per instruction";
    for (const auto& [site, now, best] : sites) {
        bars.bars.push_back({site->name, now, fmt::format("{:.2f} of {:.2f}", now, best),
                             fmt::format("{} in {}: {:.2f} {} per instruction, ideal {:.2f}", site->name,
                                         site->segment, now, shared ? "passes" : "sectors", best),
                             now > best * tolerance ? wasteful_colour : ideal_colour});
    }
    return bar_chart(bars);
}

std::string sites_table(const std::vector<SiteCost>& sites, bool shared) {
    const std::string unit = shared ? "passes" : "sectors";
    HtmlTable table({{"access"},
                     {"in"},
                     {"bits", Align::number},
                     {"instructions", Align::number},
                     {unit + "/instr", Align::number},
                     {"ideal", Align::number},
                     {"efficiency"},
                     {shared ? "n-way" : "L2 bytes", Align::number}});
    for (const auto& [site, cost, ideal] : sites) {
        const double share = cost > 0 ? ideal / cost : 1;
        table.row({escaped(site->name), escaped(site->segment), fmt::format("{}", site->bits),
                   fmt::format("{:.0f}", site->instructions), fmt::format("{:.2f}", cost),
                   fmt::format("{:.2f}", ideal),
                   fmt::format("<span class=\"nowrap\">{} {:.0f} %</span>", inline_bar(share), 100 * share),
                   shared ? fmt::format("{}", site->degree) : escaped(human_bytes(site->l2_bytes))},
                  share < 0.95 ? "win" : "");
    }
    return table.str();
}

std::string site_chart(const Prediction& p, bool shared) {
    const auto sites = chosen_sites(p, shared).rows;
    if (sites.empty()) {
        return "";
    }
    return fmt::format("<div class=\"half\"><h3>{}</h3>\n{}</div>\n",
                       shared ? "Shared accesses: passes, of ideal" : "Global accesses: sectors, of ideal",
                       ratio_chart(sites, shared));
}

std::string site_tables(const Prediction& p) {
    std::string html;
    for (const bool shared : {false, true}) {
        const auto sites = chosen_sites(p, shared);
        html += sites.rows.empty() ? "" : sites_table(sites.rows, shared);
        if (sites.left_out > 0) {
            html += paragraph(fmt::format("The {} costliest; predict --format json lists all.", most_sites),
                              "dim small");
        }
    }
    return html.empty() ? "" : details("Each access", html);
}

std::string picture(const SharedAccess& access, int banks) {
    constexpr std::size_t named = 3;
    std::string names;
    for (std::size_t i = 0; i < std::min(named, access.sites.size()); ++i) {
        names += (names.empty() ? "" : ", ") + access.sites[i];
    }
    if (access.sites.size() > named) {
        names += fmt::format(" and {} more", access.sites.size() - named);
    }
    const auto& c = access.conflicts;
    const auto words = fmt::format("{} bits per lane: {} pass{}, {} without conflicts", access.bits,
                                   c.wavefronts, c.wavefronts == 1 ? "" : "es", c.phases);
    return fmt::format("<div class=\"picture\"><h3>{}</h3>\n{}{}</div>\n", escaped(names),
                       paragraph(words, "dim small"),
                       bank_drawing(names + ": lanes to banks", access.words, banks));
}

std::string pictures(const PredictionReport& report) {
    const auto& accesses = report.shared_accesses;
    if (accesses.empty()) {
        return "";
    }
    std::string html =
        "<h3>Lanes and banks</h3>\n" +
        paragraph(
            "The worst warp of each shared access in the first block. A colour is one pass over the banks: "
            "lanes and banks of the same colour are served together.",
            "dim small") +
        "<div class=\"pictures\">\n";
    const auto shown = std::min(most_pictures, accesses.size());
    for (std::size_t i = 0; i < shown; ++i) {
        html += picture(accesses[i], report.arch->sm.shared_memory.banks);
    }
    html += "</div>\n";
    return accesses.size() == shown
               ? html
               : html + paragraph(fmt::format("{} more patterns are not drawn.", accesses.size() - shown),
                                  "dim small");
}

}  // namespace

Section memory_section(const PredictionReport& report) {
    const auto& p = report.main();
    const auto hierarchy = memory_hierarchy(p, *report.arch);
    std::string html = "<div class=\"pair\">\n<div class=\"half\"><h3>Bytes moved and hit rates</h3>\n" +
                       hierarchy_chart(hierarchy, p.time_seconds) + "</div>\n";
    html += site_chart(p, false) + site_chart(p, true) + "</div>\n" +
            details("Bytes, rates and shares of the peaks", edges_table(hierarchy, p)) + site_tables(p) +
            pictures(report);
    return {"memory", "Memory", std::move(html), true};
}

}  // namespace gpumodel::cli::page
