#include "tools/tune/ranking.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/enum_table.h"

namespace gpumodel::cli::tuning {
namespace {

constexpr double equal_within = 0.001;

std::vector<std::size_t> analytic_order(const std::vector<RankTimes>& times) {
    std::vector<std::size_t> order(times.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return times[a].analytic < times[b].analytic; });
    return order;
}

}  // namespace

std::string_view to_string(RankedBy ranked_by) {
    constexpr auto names = enum_words<RankedBy>("simulate", "analytic", "both");
    return names[static_cast<std::size_t>(ranked_by)];
}

double rank_time(const RankTimes& times, RankedBy ranked_by) {
    if (!times.simulated || ranked_by == RankedBy::analytic) {
        return times.analytic;
    }
    return ranked_by == RankedBy::simulate ? *times.simulated : std::sqrt(*times.simulated * times.analytic);
}

std::vector<std::size_t> analytic_best(const std::vector<RankTimes>& times, std::size_t count) {
    auto order = analytic_order(times);
    order.resize(std::min(count, order.size()));
    return order;
}

std::vector<std::size_t> rank_order(const std::vector<RankTimes>& times, RankedBy ranked_by) {
    const auto analytic = analytic_order(times);
    std::vector<std::size_t> place(times.size());  // in the analytic order
    for (std::size_t i = 0; i < analytic.size(); ++i) {
        place[analytic[i]] = i;
    }
    auto order = analytic;
    const auto time = [&](std::size_t i) { return rank_time(times[i], ranked_by); };
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return time(a) < time(b); });
    for (auto begin = order.begin(); begin != order.end();) {
        const double limit = time(*begin) * (1 + equal_within);
        const auto end = std::find_if(begin, order.end(), [&](std::size_t i) { return time(i) > limit; });
        std::sort(begin, end, [&](std::size_t a, std::size_t b) { return place[a] < place[b]; });
        begin = end;
    }
    return order;
}

}  // namespace gpumodel::cli::tuning
