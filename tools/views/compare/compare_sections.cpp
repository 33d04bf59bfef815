// The sections of a single comparison.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tools/views/compare/compare_views.h"
#include "tools/views/prediction/report.h"

namespace gpumodel::cli {
namespace {

// Below a femtosecond it is what rounding left.
std::string signed_time(double us) {
    return std::abs(us) < 1e-9 ? "0 us" : (us < 0 ? "-" : "+") + human_time(std::abs(us) * 1e-6);
}

std::string time_or_dash(const std::optional<double>& us) {
    return us ? human_time(*us * 1e-6) : "-";
}

std::string ratio_text(const TermPair& t) {
    const auto ratio = t.ratio();
    return ratio ? fmt::format("{:.3f}", *ratio) : "-";
}

std::string row(const std::string& name, const std::string& a, const std::string& b,
                const std::string& change, const std::string& last) {
    auto text = fmt::format("  {:<52}{:>12}{:>12}{:>12}{:>10}", name, a, b, change, last);
    text.erase(text.find_last_not_of(' ') + 1);
    return text + '\n';
}

std::string head(const std::string& title, const std::string& change, const std::string& last) {
    return '\n' + fmt::format("{:<54}{:>12}{:>12}{:>12}{:>10}\n", title, "a", "b", change, last);
}

std::string time_row(const std::string& name, const TermPair& t) {
    const auto difference = t.difference();
    return row(name, time_or_dash(t.a), time_or_dash(t.b), difference ? signed_time(*difference) : "-",
               ratio_text(t));
}

std::string time_section(const ComparedPair& pair) {
    auto text = head("Time", "b - a", "b / a") + time_row("model: " + pair.a->model, pair.terms.time_us);
    if (pair.analytic) {
        text += time_row("model: analytic", pair.analytic->time_us);
    }
    const TermPair throughput{"GFLOP/s", pair.a->gflops, pair.b->gflops};
    if (throughput.a && throughput.b) {
        text += row("GFLOP/s", fmt::format("{:.4g}", *throughput.a), fmt::format("{:.4g}", *throughput.b),
                    fmt::format("{:+.4g}", *throughput.difference()), ratio_text(throughput));
    }
    return text;
}

std::string share_text(double part, double whole) {
    const double tenths = whole == 0 ? 0 : std::round(1000 * part / whole);
    return whole == 0 ? "-" : fmt::format("{:.1f} %", tenths == 0 ? 0 : tenths / 10);
}

std::string parts_section(const ComparedPair& pair) {
    if (pair.terms.parts.empty()) {
        return "";
    }
    const double whole = *pair.terms.time_us.difference();
    auto text = head("Where the time goes", "b - a", "share");
    for (const auto& part : pair.terms.parts) {
        const double difference = *part.difference();
        text += row(part.name, time_or_dash(part.a), time_or_dash(part.b), signed_time(difference),
                    share_text(difference, whole));
    }
    text += row("sum", time_or_dash(pair.terms.time_us.a), time_or_dash(pair.terms.time_us.b),
                signed_time(whole), share_text(whole, whole));
    return text + (pair.terms.stall_parts ? "  Stall reasons: the warps' cycles in each, scaled to the time. "
                                            "share: of the difference.\n"
                                          : "  share: of the difference.\n");
}

std::string bounds_section(const ComparedPair& pair) {
    std::string text;
    for (const auto& bound : pair.terms.bounds) {
        text += time_row(bound.name, bound);
    }
    return text.empty() ? "" : head("Lower bounds on the time", "b - a", "b / a") + text;
}

std::string plain(const std::optional<double>& value) {
    return value ? number(std::round(*value * 1e4) / 1e4) : "-";
}

std::string signed_number(double value) {
    return (value > 0 ? "+" : "") + number(std::round(value * 1e4) / 1e4);
}

std::string text_row(const std::string& name, const std::string& a, const std::string& b) {
    return a.empty() && b.empty() ? "" : row(name, a.empty() ? "-" : a, "  " + (b.empty() ? "-" : b), "", "");
}

std::string resources_section(const ComparedPair& pair) {
    auto text = head("Launch and occupancy", "b - a", "b / a");
    for (const auto& r : pair.terms.resources) {
        const auto difference = r.difference();
        text +=
            row(r.name, plain(r.a), plain(r.b), difference ? signed_number(*difference) : "-", ratio_text(r));
    }
    text += text_row("occupancy limited by", pair.a->occupancy_limiter, pair.b->occupancy_limiter);
    return text + text_row("bottleneck", pair.a->bottleneck, pair.b->bottleneck);
}

std::string big(const std::optional<double>& value) {
    return value ? fmt::format("{:.5g}", *value) : "-";
}

std::string signed_count(double value) {
    return value == 0 ? "0" : fmt::format("{:+.4g}", value);
}

std::string count_row(const std::string& name, const TermPair& t) {
    const auto difference = t.difference();
    return row(name, big(t.a), big(t.b), difference ? signed_count(*difference) : "-", ratio_text(t));
}

std::string site_rows(const SitePair& site) {
    const auto value = [&site](auto member) {
        TermPair t;
        t.a = site.a ? std::optional<double>((*site.a).*member) : std::nullopt;
        t.b = site.b ? std::optional<double>((*site.b).*member) : std::nullopt;
        return t;
    };
    const auto optional_value = [&site](std::optional<double> SiteRecord::*member) {
        return TermPair{"", site.a ? (*site.a).*member : std::nullopt,
                        site.b ? (*site.b).*member : std::nullopt};
    };
    const auto label = fmt::format("{} ({} {})", site.name, site.space, site.kind);
    auto text = count_row(label + " instructions", value(&SiteRecord::instructions));
    for (const auto& [name, member] : {std::pair{"  wavefronts", &SiteRecord::wavefronts},
                                       {"  conflict degree", &SiteRecord::conflict_degree},
                                       {"  sectors", &SiteRecord::sectors},
                                       {"  bytes from or to L2", &SiteRecord::l2_bytes}}) {
        const auto t = optional_value(member);
        text += t.a || t.b ? count_row(name, t) : "";
    }
    return text;
}

std::string sites_section(const ComparedPair& pair) {
    std::string text;
    for (const auto& site : pair.terms.sites) {
        text += site_rows(site);
    }
    return text.empty() ? "" : head("Memory accesses", "b - a", "b / a") + text;
}

std::string counters_section(const ComparedPair& pair) {
    std::string text;
    std::size_t equal = 0;
    for (const auto& counter : pair.terms.counters) {
        if (counter.a && counter.b && *counter.a == *counter.b) {
            ++equal;
            continue;
        }
        // longer than the column: the numbers stand below
        text += counter.name.size() < 52 ? count_row(counter.name, counter)
                                         : "  " + counter.name + '\n' + count_row("", counter);
    }
    if (equal > 0) {
        text += fmt::format("  {} more counters are equal\n", equal);
    }
    return text.empty() ? "" : head("Counters", "b - a", "b / a") + text;
}

}  // namespace

std::string compare_sections(const ComparedPair& pair) {
    if (!pair.terms.comparable()) {
        return "";
    }
    return time_section(pair) + parts_section(pair) + bounds_section(pair) + resources_section(pair) +
           sites_section(pair) + counters_section(pair);
}

}  // namespace gpumodel::cli
