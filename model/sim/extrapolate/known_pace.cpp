#include "model/sim/extrapolate/known_pace.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "model/sim/extrapolate/policy.h"

namespace gpumodel::sim {
namespace {

std::int32_t to_an_eighth(std::int32_t warps) {
    const int dropped =
        std::max(0, static_cast<int>(std::bit_width(static_cast<unsigned>(warps))) - policy::leading_bits);
    return warps >> dropped << dropped;
}

}  // namespace

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

void KnownPace::add(const WindowEnd& from, const WindowEnd& to, std::int64_t stay) {
    if (windows >= policy::most_remembered) {
        windows /= 2;
        squares /= 2;
        stays = std::max(1.0, stays / 2);
    }
    stays += stay != last_stay ? 1 : 0;
    last_stay = stay;
    windows += 1;
    const double pace = pace_of(from, to);
    const double from_mean = pace - mean;
    mean += from_mean / windows;
    squares += from_mean * (pace - mean);
    sum.at += to.at - from.at;
    add_scaled(sum.counters, to.counters, from.counters, 1);
    sum.stalls.resize(to.stalls.size());
    for (std::size_t line = 0; line < to.stalls.size(); ++line) {
        for (std::size_t r = 0; r < stall_reason_count; ++r) {
            sum.stalls[line][r] += to.stalls[line][r] - from.stalls[line][r];
        }
    }
}

std::optional<Steady> steady_again(const KnownPace& known, const std::vector<double>& paces, double work) {
    if (known.windows < policy::fewest_known || known.stays < policy::fewest_stays || paces.size() < 2 ||
        work < policy::careful_work) {
        return std::nullopt;
    }
    const auto count = paces.size() - 1;
    const auto n = static_cast<double>(count);
    const double own = mean_of(paces.data() + 1, count);
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
