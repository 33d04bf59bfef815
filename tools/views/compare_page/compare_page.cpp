#include "tools/views/compare_page/compare_page.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tools/cli/command.h"
#include "tools/views/chart/bars.h"
#include "tools/views/prediction/report.h"
#include "tools/views/result_json.h"

namespace gpumodel::cli::page {
namespace {

using Align = HtmlTable::Align;

std::string either(const std::string& a, const std::string& b) {
    return a == b ? a : fmt::format("{} \u2192 {}", a.empty() ? "\u2013" : a, b.empty() ? "\u2013" : b);
}

PageHead head_of(const CompareView& view) {
    PageHead head;
    if (view.pairs.size() == 1) {
        const auto& a = *view.pairs.front().a;
        const auto& b = *view.pairs.front().b;
        head.heading = fmt::format("{} on {}", either(readable_entry(a.kernel), readable_entry(b.kernel)),
                                   either(a.arch, b.arch));
        head.subtitle = fmt::format("a: {}; b: {}; model: {}", launch_label(a), launch_label(b),
                                    a.model == "simulate" ? "simulator" : a.model);
    } else {
        head.heading = fmt::format("{} launches compared", view.pairs.size());
        head.subtitle = fmt::format("a: {}; b: {}", view.a.file, view.b.file);
    }
    head.title = head.heading + " \u2013 gpumodel";
    head.metadata = {{"gpumodel", view.a.tool_version == view.b.tool_version || view.b.tool_version.empty()
                                      ? view.a.tool_version
                                      : either(view.a.tool_version, view.b.tool_version)},
                     {"a", view.a.file},
                     {"b", view.b.file},
                     {"spec hash", either(view.a.spec_hash, view.b.spec_hash)},
                     {"command", command_line()}};
    return head;
}

double change_of(const ComparedPair& pair) {
    return pair.terms.comparable() ? pair.terms.change_pct() : -std::numeric_limits<double>::infinity();
}

// b's slowest first; launches without a time last.
Section pairs_section(const CompareView& view) {
    std::vector<const ComparedPair*> pairs;
    for (const auto& pair : view.pairs) {
        pairs.push_back(&pair);
    }
    std::stable_sort(pairs.begin(), pairs.end(),
                     [](const auto* x, const auto* y) { return change_of(*x) > change_of(*y); });
    SortableTable table({{"a", Align::text},
                         {"b", Align::text},
                         {"model", Align::text},
                         {"time a", Align::number},
                         {"time b", Align::number},
                         {"b against a", Align::number},
                         {"bottleneck", Align::text}});
    const auto time = [](const std::optional<double>& us, const LaunchRecord& r) {
        return us ? SortableTable::cell(*us, human_time(*us * 1e-6))
                  : SortableTable::text_cell(std::string(to_string(r.status)));
    };
    for (const auto* pair : pairs) {
        const bool both = pair->terms.comparable();
        table.row({SortableTable::text_cell(launch_label(*pair->a)),
                   SortableTable::text_cell(launch_label(*pair->b)), SortableTable::text_cell(pair->a->model),
                   time(pair->terms.time_us.a, *pair->a), time(pair->terms.time_us.b, *pair->b),
                   both ? SortableTable::cell(change_of(*pair), change_text(change_of(*pair)))
                        : SortableTable::none(),
                   SortableTable::text_cell(either(pair->a->bottleneck, pair->b->bottleneck))},
                  pair->exceeds ? "win" : "");
    }
    return {"launches", "Launches", table.str(), true};
}

Section run_summary_section(const CompareView& view) {
    const auto& s = view.summary;
    std::string html = "<dl class=\"tiles\">\n";
    html +=
        tile("Launches",
             figure("launches_compared", static_cast<double>(s.launches), fmt::format("{}", s.launches)),
             s.without_time > 0 ? fmt::format("{} more without a time", s.without_time) : "on both sides");
    if (s.launches > 0) {
        html +=
            tile("Geometric mean",
                 figure("geometric_mean_change_pct", s.geometric_mean_pct, change_text(s.geometric_mean_pct)),
                 "of b's time against a's");
        html += tile("Worst", figure("worst_change_pct", s.worst_pct, change_text(s.worst_pct)),
                     launch_label(*view.pairs[s.worst].b));
        html += tile("Best", figure("best_change_pct", s.best_pct, change_text(s.best_pct)),
                     launch_label(*view.pairs[s.best].b));
    }
    html += "</dl>\n";
    for (const auto& note : view.notes) {
        html += paragraph("Note: " + note, "dim small");
    }
    return {"summary", "", html, true};
}

Section unmatched_section(const CompareView& view) {
    std::string html;
    for (const auto& [side, launches] : {std::pair{"a", &view.only_a}, {"b", &view.only_b}}) {
        for (const auto* launch : *launches) {
            html += fmt::format("<li>only in {}: {} ({})</li>\n", side, escaped(launch_label(*launch)),
                                escaped(launch->model));
        }
    }
    return html.empty()
               ? Section{}
               : Section{"unmatched", "On one side only", "<ul class=\"small\">\n" + html + "</ul>\n", true};
}

}  // namespace

std::string compare_page(const CompareView& view) {
    std::vector<Section> sections;
    if (view.pairs.size() == 1) {
        const auto& pair = view.pairs.front();
        sections.push_back(pair_summary_section(pair, view));
        if (pair.terms.comparable()) {
            for (auto* make : {pair_parts_section, pair_bounds_section, pair_resources_section,
                               pair_mix_section, pair_sites_section, pair_counters_section}) {
                sections.push_back(make(pair));
            }
        }
    } else {
        sections.push_back(run_summary_section(view));
        sections.push_back(pairs_section(view));
    }
    sections.push_back(unmatched_section(view));
    return html_page(head_of(view), sections);
}

}  // namespace gpumodel::cli::page
