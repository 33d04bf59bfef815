#include "model/sim/extrapolate/steady.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>

#include "model/sim/extrapolate/policy.h"

namespace gpumodel::sim {

namespace {

std::int32_t to_an_eighth(std::int32_t warps) {
    const int dropped =
        std::max(0, static_cast<int>(std::bit_width(static_cast<unsigned>(warps))) - policy::leading_bits);
    return warps >> dropped << dropped;
}

double mean_of(const double* first, std::size_t count) {
    return std::accumulate(first, first + count, 0.0) / static_cast<double>(count);
}

}  // namespace

std::optional<Steady> steady_state(const std::vector<double>& values, double work) {
    const auto warm_up = policy::warm_up(values.size());
    if (values.size() < warm_up + policy::fewest_windows(work)) {
        return std::nullopt;
    }
    Steady steady;
    steady.windows = values.size() - warm_up;
    const double* first = values.data() + warm_up;
    steady.mean = mean_of(first, steady.windows);
    // a single window is compared with the one before
    const std::size_t compared = std::max<std::size_t>(2, steady.windows);
    first = values.data() + values.size() - compared;
    double squares = 0;
    for (std::size_t i = 0; i < compared; ++i) {
        squares += (first[i] - steady.mean) * (first[i] - steady.mean);
    }
    const auto n = static_cast<double>(compared);
    const double standard_error = std::sqrt(squares / (n - 1) / n);
    const auto half = compared / 2;
    const double drift = mean_of(first, half) - mean_of(first + compared - half, half);
    steady.error = std::max(2 * standard_error, std::abs(drift)) / steady.mean;
    return steady.error <= policy::tolerance(work) ? std::optional(steady) : std::nullopt;
}

std::vector<LoopCrowd> crowds_of(const std::vector<WarpProgress>& warps) {
    std::vector<LoopCrowd> all;
    for (const auto& warp : warps) {
        if (warp.live()) {
            const auto found = std::find_if(all.begin(), all.end(),
                                            [&warp](const LoopCrowd& c) { return c.loop == warp.loop; });
            (found != all.end() ? *found : all.emplace_back(LoopCrowd{warp.loop, 0})).warps += 1;
        }
    }
    for (auto& crowd : all) {
        crowd.warps = to_an_eighth(crowd.warps);
    }
    return all;
}

void KnownCpi::add(const WindowEnd& from, const WindowEnd& to, std::int64_t stay) {
    if (windows >= policy::most_remembered) {
        windows /= 2;
        squares /= 2;
        stays = std::max(1.0, stays / 2);
    }
    stays += stay != last_stay ? 1 : 0;
    last_stay = stay;
    windows += 1;
    const double cpi = cpi_of(from, to);
    const double from_mean = cpi - mean;
    mean += from_mean / windows;
    squares += from_mean * (cpi - mean);
    sum.at += to.at - from.at;
    add_scaled(sum.counters, to.counters, from.counters, 1);
    add_scaled(sum.stalls, to.stalls, from.stalls, 1);
}

std::optional<Steady> steady_again(const KnownCpi& known, const std::vector<double>& cpis, double work) {
    if (known.windows < policy::fewest_known || known.stays < policy::fewest_stays || cpis.size() < 2 ||
        work < policy::careful_work) {
        return std::nullopt;
    }
    const auto count = cpis.size() - 1;
    const auto n = static_cast<double>(count);
    const double own = mean_of(cpis.data() + 1, count);
    const double deviation = std::sqrt(known.squares / (known.windows - 1));
    const double distance = std::abs(own - known.mean);
    if (distance > std::max(policy::tolerance(work) * known.mean, 2 * deviation / std::sqrt(n))) {
        return std::nullopt;
    }
    const double all = known.windows + n;
    Steady steady;
    steady.windows = count;
    steady.mean = (known.windows * known.mean + n * own) / all;
    steady.error =
        std::max(2 * deviation / std::sqrt(known.stays), std::abs(own - steady.mean)) / steady.mean;
    return steady;
}

}  // namespace gpumodel::sim
