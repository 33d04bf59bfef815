#include "tools/tune/judge.h"

#include <cmath>
#include <map>
#include <tuple>

#include "validate/accuracy/error_statistics.h"

namespace gpumodel::cli::tuning {
namespace {

constexpr std::size_t measured_best_of = 8;

// A measured launch with both models' times, in seconds.
struct Judged {
    const Measurement* measured = nullptr;
    RankTimes times;
};
using GroupKey = std::tuple<std::string, std::int64_t, std::int64_t, std::int64_t>;

// compare() lists the models of one launch next to each other.
std::vector<Judged> by_launch(const Comparison& comparison) {
    std::vector<Judged> list;
    for (const auto& l : comparison.launches) {
        if (list.empty() || list.back().measured != l.measured) {
            list.push_back({l.measured, {}});
        }
        auto& times = list.back().times;
        (l.model == ModelKind::analytic ? times.analytic : times.simulated.emplace()) = l.predicted_us * 1e-6;
    }
    return list;
}

// Ranked as tune would: refined first.
std::vector<std::size_t> tuned_order(const std::vector<Judged>& group, const SearchSettings& settings) {
    std::vector<RankTimes> times;
    times.reserve(group.size());
    for (const auto& j : group) {
        times.push_back(j.times);
    }
    const auto analytic = analytic_best(times, times.size());
    const auto refined = std::min(settings.refine, analytic.size());
    std::vector<RankTimes> best;
    for (std::size_t i = 0; i < refined; ++i) {
        best.push_back(times[analytic[i]]);
    }
    std::vector<std::size_t> order;
    for (const auto i : rank_order(best, settings.ranked_by)) {
        order.push_back(analytic[i]);
    }
    order.insert(order.end(), analytic.begin() + static_cast<std::ptrdiff_t>(refined), analytic.end());
    return order;
}

bool is_default(const Measurement& m) {
    const auto* family = find_family(m.family);
    ParamValues known;
    for (const auto& spec : family->params) {
        if (const auto found = m.params.find(spec.name); found != m.params.end()) {
            known.insert(*found);
        }
    }
    return resolve_params(*family, known) == resolve_params(*family, {});
}

std::optional<double> expected_loss_pct(const std::vector<Judged>& group,
                                        const std::vector<std::size_t>& order, const ProblemShape& shape,
                                        const ArchSpec& arch, const SearchSettings& settings,
                                        const RankSpreads& spreads) {
    std::vector<RankedTime> ranked;
    for (std::size_t i = 0; i < std::min(settings.refine, order.size()); ++i) {
        const auto& j = group[order[i]];
        ranked.push_back({j.measured->family, rank_time(j.times, settings.ranked_by)});
    }
    const auto confidence = confidence_of(ranked, shape, arch, settings.ranked_by, settings.top, spreads);
    return confidence ? std::optional(100 * confidence->odds.loss_of_first.front()) : std::nullopt;
}

JudgedChoice judge_group(const GroupKey& key, const std::vector<Judged>& group, const ArchSpec& arch,
                         const SearchSettings& settings, const RankSpreads& spreads) {
    const auto order = tuned_order(group, settings);
    std::vector<TimePair> pairs;  // predicted: the place
    std::optional<double> default_time;
    for (std::size_t place = 0; place < order.size(); ++place) {
        const auto& m = *group[order[place]].measured;
        pairs.push_back({static_cast<double>(place), m.time_us});
        if (is_default(m)) {
            default_time = m.time_us;
        }
    }
    const auto& [family, m, n, k] = key;
    JudgedChoice judged{family,
                        {m, n, k},
                        group.size(),
                        kendall_tau(pairs),
                        100 * regret(pairs, 1),
                        100 * regret(pairs, measured_best_of),
                        std::nullopt,
                        expected_loss_pct(group, order, {m, n, k}, arch, settings, spreads)};
    if (default_time) {
        const double best = pairs.front().measured / (1 + judged.top1_regret_pct / 100);
        judged.default_regret_pct = 100 * (*default_time / best - 1);
    }
    return judged;
}

}  // namespace

std::vector<JudgedChoice> judge(const Comparison& comparison, const ArchSpec& arch,
                                const SearchSettings& settings, const RankSpreads& spreads) {
    std::map<GroupKey, std::vector<Judged>> groups;
    for (const auto& j : by_launch(comparison)) {
        const auto& m = *j.measured;
        const bool simulated = j.times.simulated || settings.ranked_by == RankedBy::analytic;
        if (!m.entry && j.times.analytic > 0 && simulated) {
            groups[{m.family, m.m, m.n, m.k}].push_back(j);
        }
    }
    std::vector<JudgedChoice> rows;
    for (const auto& [key, group] : groups) {
        if (group.size() > 1) {
            rows.push_back(judge_group(key, group, arch, settings, spreads));
        }
    }
    return rows;
}

std::vector<RankedLaunch> ranked_launches(const Comparison& comparison) {
    std::vector<RankedLaunch> launches;
    for (const auto& j : by_launch(comparison)) {
        if (j.measured->entry || j.times.analytic <= 0 || !j.times.simulated) {
            continue;
        }
        for (const auto by : {RankedBy::simulate, RankedBy::analytic, RankedBy::both}) {
            launches.push_back({j.measured, std::string(to_string(by)), 1e6 * rank_time(j.times, by)});
        }
    }
    return launches;
}

}  // namespace gpumodel::cli::tuning
