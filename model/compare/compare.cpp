#include "model/compare/compare.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "model/analytic/demand.h"

namespace gpumodel {
namespace {

const double* find_value(const std::vector<Quantity>& list, const std::string& name) {
    const auto found =
        std::find_if(list.begin(), list.end(), [&name](const Quantity& q) { return q.name == name; });
    return found == list.end() ? nullptr : &found->value;
}

// By name: in a's order, then what only b has.
std::vector<TermPair> paired(const std::vector<Quantity>& a, const std::vector<Quantity>& b) {
    std::vector<TermPair> terms;
    for (const auto& q : a) {
        const auto* other = find_value(b, q.name);
        terms.push_back({q.name, q.value, other ? std::optional(*other) : std::nullopt});
    }
    for (const auto& q : b) {
        if (find_value(a, q.name) == nullptr) {
            terms.push_back({q.name, std::nullopt, q.value});
        }
    }
    return terms;
}

std::vector<Quantity> scaled(std::vector<Quantity> list, double factor) {
    for (auto& q : list) {
        q.value *= factor;
    }
    return list;
}

double running_us(const LaunchRecord& r) {
    return r.time_us - r.launch_us.value_or(0);
}

// Shares of `total_us` by stall reason.
std::vector<Quantity> stall_parts(const LaunchRecord& r, double total_us) {
    const double all = std::accumulate(r.stall_warp_cycles.begin(), r.stall_warp_cycles.end(), 0.0,
                                       [](double sum, const Quantity& q) { return sum + q.value; });
    return scaled(r.stall_warp_cycles, total_us / all);
}

std::vector<Quantity> round_parts(const LaunchRecord& r) {
    const double us = running_us(r) / *r.cycles;
    const double dispatch = *r.cycles - r.rounds->steady - r.rounds->tail;
    std::vector<Quantity> parts{{"full rounds", r.rounds->steady * us}, {"tail round", r.rounds->tail * us}};
    if (dispatch * us > 1e-9 * r.time_us) {  // beyond what rounding leaves
        parts.push_back({"block dispatch", dispatch * us});
    }
    return parts;
}

bool has_rounds(const LaunchRecord& r) {
    return r.rounds && r.launch_us && r.cycles && *r.cycles > 0;
}

void by_difference(std::vector<TermPair>& terms) {
    for (auto& term : terms) {
        term.a = term.a.value_or(0);
        term.b = term.b.value_or(0);
    }
    std::stable_sort(terms.begin(), terms.end(), [](const TermPair& x, const TermPair& y) {
        return std::abs(*x.difference()) > std::abs(*y.difference());
    });
}

void set_parts(const LaunchRecord& a, const LaunchRecord& b, LaunchComparison& c) {
    c.launch_set_apart = a.launch_us && b.launch_us;
    std::vector<Quantity> parts_a, parts_b;
    c.stall_parts = !a.stall_warp_cycles.empty() && !b.stall_warp_cycles.empty();
    if (c.stall_parts) {
        parts_a = stall_parts(a, c.launch_set_apart ? running_us(a) : a.time_us);
        parts_b = stall_parts(b, c.launch_set_apart ? running_us(b) : b.time_us);
    } else if (has_rounds(a) && has_rounds(b)) {
        parts_a = round_parts(a);
        parts_b = round_parts(b);
    } else {
        return;
    }
    if (c.launch_set_apart) {
        parts_a.push_back({"launch overhead", *a.launch_us});
        parts_b.push_back({"launch overhead", *b.launch_us});
    }
    c.parts = paired(parts_a, parts_b);
    by_difference(c.parts);
}

// One unit under one name on both sides: that of the side which uses shared memory.
std::vector<Quantity> named_as(std::vector<Quantity> bounds, const std::vector<Quantity>& others) {
    for (auto& bound : bounds) {
        const auto same = std::find_if(others.begin(), others.end(), [&](const Quantity& other) {
            return same_bound(other.name, bound.name);
        });
        if (bound.name == l1_data_pipe && same != others.end()) {
            bound.name = same->name;
        }
    }
    return bounds;
}

void set_bounds(const LaunchRecord& a, const LaunchRecord& b, LaunchComparison& c) {
    const auto us_per_cycle = [](const LaunchRecord& r) {
        return r.cycles && *r.cycles > 0 ? running_us(r) / *r.cycles : 0;
    };
    if (us_per_cycle(a) <= 0 || us_per_cycle(b) <= 0) {
        return;
    }
    c.bounds = paired(scaled(named_as(a.bounds, b.bounds), us_per_cycle(a)),
                      scaled(named_as(b.bounds, a.bounds), us_per_cycle(b)));
    const auto larger = [](const TermPair& t) { return std::max(t.a.value_or(0), t.b.value_or(0)); };
    std::stable_sort(c.bounds.begin(), c.bounds.end(),
                     [&](const TermPair& x, const TermPair& y) { return larger(x) > larger(y); });
}

std::vector<SitePair> paired_sites(const std::vector<SiteRecord>& a, const std::vector<SiteRecord>& b) {
    std::vector<SitePair> pairs;
    pairs.reserve(a.size() + b.size());
    for (const auto& s : a) {
        pairs.push_back({s.name, s.space, s.kind, s, std::nullopt});
    }
    for (const auto& s : b) {
        const auto same = std::find_if(pairs.begin(), pairs.end(), [&s](const SitePair& p) {
            return p.name == s.name && p.space == s.space && p.kind == s.kind;
        });
        if (same == pairs.end()) {
            pairs.push_back({s.name, s.space, s.kind, std::nullopt, s});
        } else {
            same->b = s;
        }
    }
    return pairs;
}

}  // namespace

std::optional<double> TermPair::difference() const {
    return a && b ? std::optional(*b - *a) : std::nullopt;
}

std::optional<double> TermPair::ratio() const {
    return a && b && *a != 0 ? std::optional(*b / *a) : std::nullopt;
}

LaunchComparison compare_launches(const LaunchRecord& a, const LaunchRecord& b) {
    LaunchComparison c;
    c.time_us.name = "time";
    c.resources = paired(a.resources, b.resources);
    if (is_predicted(a.status)) {
        c.time_us.a = a.time_us;
    }
    if (is_predicted(b.status)) {
        c.time_us.b = b.time_us;
    }
    if (c.comparable()) {
        set_parts(a, b, c);
        set_bounds(a, b, c);
        c.counters = paired(a.counters, b.counters);
        c.sites = paired_sites(a.sites, b.sites);
    }
    return c;
}

RunSummary summarise(const std::vector<LaunchComparison>& comparisons) {
    RunSummary summary;
    double log_sum = 0;
    for (std::size_t i = 0; i < comparisons.size(); ++i) {
        if (!comparisons[i].comparable()) {
            ++summary.without_time;
            continue;
        }
        const double change = comparisons[i].change_pct();
        if (summary.launches == 0 || change > summary.worst_pct) {
            summary.worst = i;
            summary.worst_pct = change;
        }
        if (summary.launches == 0 || change < summary.best_pct) {
            summary.best = i;
            summary.best_pct = change;
        }
        log_sum += std::log(*comparisons[i].time_us.ratio());
        ++summary.launches;
    }
    if (summary.launches > 0) {
        summary.geometric_mean_pct = 100 * std::expm1(log_sum / static_cast<double>(summary.launches));
    }
    return summary;
}

}  // namespace gpumodel
