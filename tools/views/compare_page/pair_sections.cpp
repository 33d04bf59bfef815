// What a page says of one pair.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "tools/views/chart/bars.h"
#include "tools/views/compare_page/compare_page.h"
#include "tools/views/prediction/report.h"
#include "tools/views/prediction_page/stall_shades.h"

namespace gpumodel::cli::page {
namespace {

constexpr int better = 3;  // green
constexpr int worse = 6;   // vermillion

std::string time_text(double us) {
    return human_time(us * 1e-6);
}
std::string value_text(double value) {
    return number(std::round(value * 1e4) / 1e4);
}

// Signed, from the worst for b to the best, those too small to see left out.
std::string difference_chart(const std::string& title, std::vector<TermPair> terms, double whole,
                             ValueText text) {
    constexpr double least = 0.002;  // of the larger time
    std::erase_if(terms, [&](const TermPair& t) {
        return !t.difference() || std::abs(*t.difference()) < least * whole;
    });
    std::stable_sort(terms.begin(), terms.end(),
                     [](const TermPair& x, const TermPair& y) { return *x.difference() > *y.difference(); });
    chart::BarChart bars;
    bars.title = title;
    for (const auto& term : terms) {
        const double difference = *term.difference();
        bars.bars.push_back({term.name, difference, (difference < 0 ? "-" : "+") + text(std::abs(difference)),
                             fmt::format("{}: {} in a, {} in b", term.name, text(term.a.value_or(0)),
                                         text(term.b.value_or(0))),
                             difference > 0 ? worse : better});
    }
    return terms.empty() ? paragraph("No part differs.", "dim small") : bar_chart(bars);
}

double larger_time(const ComparedPair& pair) {
    return std::max(*pair.terms.time_us.a, *pair.terms.time_us.b);
}

std::string side_tile(const char* name, const char* id, const std::optional<double>& us,
                      const LaunchRecord& r) {
    return us ? tile(name, figure(id, *us, time_text(*us)),
                     fmt::format("{} on {}", readable_entry(r.kernel), r.arch))
              : tile(name, escaped(to_string(r.status)), r.reason);
}

// "BM=1; BN=2": with places to break a line.
std::string spaced(const std::string& params) {
    std::string text;
    for (const char c : params) {
        text += c;
        text += c == ';' ? " " : "";
    }
    return text;
}

// By the larger ratio in either direction; equal ones are not shown.
std::vector<TermPair> by_change(std::vector<TermPair> terms, std::size_t& equal) {
    const auto before = terms.size();
    std::erase_if(terms, [](const TermPair& t) { return t.a && t.b && *t.a == *t.b; });
    equal = before - terms.size();
    const auto change = [](const TermPair& t) {
        const auto ratio = t.ratio();
        return ratio && *ratio > 0 ? std::abs(std::log(*ratio)) : std::numeric_limits<double>::max();
    };
    std::stable_sort(terms.begin(), terms.end(),
                     [&](const TermPair& x, const TermPair& y) { return change(x) > change(y); });
    return terms;
}

std::optional<double> counter(const LaunchRecord& r, std::string_view name) {
    const auto found =
        std::find_if(r.counters.begin(), r.counters.end(), [&](const Quantity& q) { return q.name == name; });
    return found == r.counters.end() ? std::nullopt : std::optional(found->value);
}

struct MixRow {
    const char* name;
    const char* counter;
    double per;  // counted by thread or by warp
};
constexpr MixRow mix_rows[] = {
    {"FFMA (full warps)", "smsp__sass_thread_inst_executed_op_ffma_pred_on.sum", 32},
    {"global loads", "smsp__inst_executed_op_global_ld.sum", 1},
    {"global stores", "smsp__inst_executed_op_global_st.sum", 1},
    {"shared loads", "smsp__inst_executed_op_shared_ld.sum", 1},
    {"shared stores", "smsp__inst_executed_op_shared_st.sum", 1},
};

// Warp instructions by kind, and the rest.
std::vector<Quantity> mix_of(const LaunchRecord& r) {
    const auto all = counter(r, "smsp__inst_executed.sum");
    if (!all) {
        return {};
    }
    std::vector<Quantity> mix;
    double rest = *all;
    for (const auto& row : mix_rows) {
        const double count = counter(r, row.counter).value_or(0) / row.per;
        mix.push_back({row.name, count});
        rest -= count;
    }
    mix.push_back({"all others", std::max(0.0, rest)});
    return mix;
}

std::string mix_bar(const char* side, const std::vector<Quantity>& mix) {
    std::vector<chart::Part> parts;
    double all = 0;
    for (const auto& q : mix) {
        all += q.value;
    }
    for (std::size_t i = 0; i < mix.size(); ++i) {
        parts.push_back({mix[i].name, mix[i].value, fmt::format("{:.1f} %", 100 * mix[i].value / all),
                         static_cast<int>(i) + 1});
    }
    return fmt::format("<div><h3>{}</h3>\n{}</div>\n", side,
                       stacked_bar(fmt::format("Warp instructions of {} by kind", side), parts));
}

// Stall reasons have their colours of the launch's page.
Shade part_shade(const std::string& name, std::size_t place) {
    for (std::size_t r = 0; r < stall_reason_count; ++r) {
        if (name == stall_reason_names[r]) {
            return shade_of(static_cast<StallReason>(r));
        }
    }
    return {8 - static_cast<int>(place % 8), true};
}

std::string parts_bar(const char* side, const std::vector<TermPair>& parts,
                      std::optional<double> TermPair::*of) {
    std::vector<chart::Part> shown;
    for (std::size_t i = 0; i < parts.size(); ++i) {
        const double us = (parts[i].*of).value_or(0);
        const auto shade = part_shade(parts[i].name, i);
        shown.push_back({parts[i].name, us, time_text(us), shade.colour, shade.faint});
    }
    return fmt::format("<div><h3>{}</h3>\n{}</div>\n", side,
                       stacked_bar(fmt::format("Time of {} by its parts", side), shown));
}

// Totals of all accesses to a space in one way.
struct AccessTotals {
    double instructions = 0, wavefronts = 0, sectors = 0, l2_bytes = 0;
};

std::map<std::string, AccessTotals> totals_of(const LaunchRecord& r) {
    std::map<std::string, AccessTotals> totals;
    for (const auto& site : r.sites) {
        auto& t = totals[site.space + ' ' + site.kind];
        t.instructions += site.instructions;
        t.wavefronts += site.wavefronts.value_or(0);
        t.sectors += site.sectors.value_or(0);
        t.l2_bytes += site.l2_bytes.value_or(0);
    }
    return totals;
}

std::vector<TermPair> access_totals(const ComparedPair& pair) {
    const auto a = totals_of(*pair.a);
    const auto b = totals_of(*pair.b);
    auto kinds = a;
    kinds.insert(b.begin(), b.end());
    std::vector<TermPair> rows;
    for (const auto& kind : kinds) {
        const auto& name = kind.first;
        const auto row = [&](const char* what, double AccessTotals::*value) {
            const auto of = [&](const auto& totals) {
                const auto found = totals.find(name);
                return found == totals.end() ? 0.0 : found->second.*value;
            };
            if (of(a) > 0 || of(b) > 0) {
                rows.push_back({name + ": " + what, of(a), of(b)});
            }
        };
        row("instructions", &AccessTotals::instructions);
        row("bank passes", &AccessTotals::wavefronts);
        row("sectors", &AccessTotals::sectors);
        row("bytes from or to L2", &AccessTotals::l2_bytes);
    }
    return rows;
}

}  // namespace

Section pair_summary_section(const ComparedPair& pair, const CompareView& view) {
    const auto& t = pair.terms;
    std::string html = "<dl class=\"tiles\">\n";
    html += side_tile("a", "time_a_us", t.time_us.a, *pair.a);
    html += side_tile("b", "time_b_us", t.time_us.b, *pair.b);
    if (t.comparable()) {
        html += tile("b against a", figure("change_pct", t.change_pct(), change_text(t.change_pct())),
                     fmt::format("{:.3g} times as fast", *t.time_us.a / *t.time_us.b));
    }
    html += "</dl>\n";
    for (const auto& sentence : pair.sentences) {
        html += paragraph(sentence, "verdict");
    }
    if (pair.analytic && pair.analytic->comparable()) {
        html += paragraph(
            fmt::format("The analytic model: b takes {}.", change_text(pair.analytic->change_pct())),
            "dim small");
    }
    for (const auto& note : view.notes) {
        html += paragraph("Note: " + note, "dim small");
    }
    return {"summary", "", html, true};
}

Section pair_parts_section(const ComparedPair& pair) {
    const auto& parts = pair.terms.parts;
    if (parts.empty()) {
        return {};
    }
    auto html = paragraph(pair.terms.stall_parts
                              ? "The warps' cycles by stall reason, scaled to the time; the parts and their "
                                "differences sum to the time's."
                              : "The terms of the time; they and their differences sum to the time's.",
                          "dim small");
    html += "<div class=\"sides even\">" + parts_bar("a", parts, &TermPair::a) +
            parts_bar("b", parts, &TermPair::b) + "</div>\n<div class=\"sides\"><div><h3>b - a</h3>\n" +
            difference_chart("Difference of the parts, b - a", parts, larger_time(pair), time_text) +
            "</div><div>" + terms_table("part", parts, time_text) + "</div></div>\n";
    return {"parts", "Where the time goes", html, true};
}

Section pair_bounds_section(const ComparedPair& pair) {
    return pair.terms.bounds.empty()
               ? Section{}
               : Section{"bounds", "Lower bounds on the time",
                         difference_chart("Difference of the bounds, b - a", pair.terms.bounds,
                                          larger_time(pair), time_text) +
                             details("Each bound", terms_table("bound", pair.terms.bounds, time_text))};
}

Section pair_resources_section(const ComparedPair& pair) {
    HtmlTable limits({{""}, {"a"}, {"b"}});
    limits.row(
        {"occupancy limited by", escaped(pair.a->occupancy_limiter), escaped(pair.b->occupancy_limiter)},
        pair.a->occupancy_limiter != pair.b->occupancy_limiter ? "win" : "");
    limits.row({"bottleneck", escaped(pair.a->bottleneck), escaped(pair.b->bottleneck)},
               pair.a->bottleneck != pair.b->bottleneck ? "win" : "");
    limits.row({"parameters", escaped(spaced(pair.a->params)), escaped(spaced(pair.b->params))},
               pair.a->params != pair.b->params ? "win" : "");
    return {"occupancy", "Launch and occupancy",
            terms_table("", pair.terms.resources, value_text) + limits.str()};
}

Section pair_mix_section(const ComparedPair& pair) {
    const auto a = mix_of(*pair.a);
    const auto b = mix_of(*pair.b);
    if (a.empty() || b.empty()) {
        return {};
    }
    std::vector<TermPair> rows{{"all warp instructions", counter(*pair.a, "smsp__inst_executed.sum"),
                                counter(*pair.b, "smsp__inst_executed.sum")}};
    for (std::size_t i = 0; i < a.size(); ++i) {
        rows.push_back({a[i].name, a[i].value, b[i].value});
    }
    return {"mix", "Instruction mix",
            "<div class=\"sides even\">" + mix_bar("a", a) + mix_bar("b", b) + "</div>\n" +
                terms_table("warp instructions", rows, value_text),
            true};
}

Section pair_sites_section(const ComparedPair& pair) {
    std::vector<TermPair> rows;
    const auto add = [&rows](const SitePair& site, const char* what, auto value) {
        TermPair t{fmt::format("{} ({} {}): {}", site.name, site.space, site.kind, what), {}, {}};
        t.a = site.a ? value(*site.a) : std::nullopt;
        t.b = site.b ? value(*site.b) : std::nullopt;
        if (t.a || t.b) {
            rows.push_back(std::move(t));
        }
    };
    for (const auto& site : pair.terms.sites) {
        add(site, "instructions", [](const SiteRecord& s) { return std::optional(s.instructions); });
        add(site, "wavefronts", [](const SiteRecord& s) { return s.wavefronts; });
        add(site, "sectors", [](const SiteRecord& s) { return s.sectors; });
        add(site, "bytes from or to L2", [](const SiteRecord& s) { return s.l2_bytes; });
    }
    std::erase_if(rows, [](const TermPair& t) { return !t.a || !t.b; });
    std::size_t equal = 0;
    const auto shown = by_change(std::move(rows), equal);
    const auto totals = access_totals(pair);
    if (totals.empty()) {
        return {};
    }
    auto html = terms_table("all accesses", totals, value_text);
    if (!shown.empty()) {
        html += details(fmt::format("{} figures of accesses that both have differ", shown.size()),
                        terms_table("access", shown, value_text));
    }
    return {"accesses", "Memory accesses", html, true};
}

Section pair_counters_section(const ComparedPair& pair) {
    std::size_t equal = 0;
    const auto shown = by_change(pair.terms.counters, equal);
    if (shown.empty() && equal == 0) {
        return {};
    }
    auto html = shown.empty() ? "" : terms_table("counter", shown, value_text);
    return {"counters", "Counters",
            html + paragraph(fmt::format("The largest ratio first; {} more counters are equal.", equal),
                             "dim small"),
            true};
}

}  // namespace gpumodel::cli::page
