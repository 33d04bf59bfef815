#include "model/sim/extrapolate/trips.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "model/sim/extrapolate/policy.h"

namespace gpumodel::sim {
namespace {

bool all_follow(const std::vector<WarpProgress>& warps, const std::vector<WarpProgress>& earlier) {
    return std::equal(warps.begin(), warps.end(), earlier.begin(), earlier.end(),
                      [](const auto& a, const auto& b) { return a.follows(b); });
}

// Windows until the first warp comes near its loop's end.
double windows_to_end(const std::vector<WarpProgress>& warps, const std::vector<double>& rate) {
    constexpr double none = std::numeric_limits<double>::infinity();
    double windows = none;
    for (std::size_t w = 0; w < warps.size(); ++w) {
        if (rate[w] > 0) {
            const double left = static_cast<double>(warps[w].total - 1) - warps[w].trips;
            const auto margin = static_cast<double>(policy::trips_before_end(warps[w].loop->window_trips));
            windows = std::min(windows, (left - margin) / rate[w]);
        }
    }
    return windows < none ? windows : 0;
}

}  // namespace

void TripExtrapolator::end_window(std::int32_t body, std::int32_t stream, std::int32_t loop) {
    const auto& profile = profiles_[static_cast<std::size_t>(body)][static_cast<std::size_t>(stream)];
    const auto trips = profile.loops[static_cast<std::size_t>(loop)].window_trips;
    countdown_ = window_scale_ * trips * live_warps_;
    window_is_over_ = true;
}

// Nothing unless all warps are inside a top-level loop.
std::vector<WarpProgress> TripExtrapolator::progress(const std::vector<WarpStanding>& warps) const {
    std::vector<WarpProgress> all(warps.size());
    for (std::size_t w = 0; w < warps.size(); ++w) {
        const auto& warp = warps[w];
        if (warp.order < 0) {
            continue;
        }
        const auto& profile =
            profiles_[static_cast<std::size_t>(warp.body)][static_cast<std::size_t>(warp.stream)];
        const auto loop = profile.top_loop_of_op[static_cast<std::size_t>(warp.op)];
        if (loop < 0) {
            return {};
        }
        const auto& top = profile.loops[static_cast<std::size_t>(loop)];
        all[w] = {warp.order, &top,
                  static_cast<double>(warp.trip) +
                      static_cast<double>(warp.op - top.first_op) / (top.last_op - top.first_op + 1),
                  top.trips - warp.trips_cut};
    }
    return all;
}

TripSkip TripExtrapolator::after_window(const Snapshot& now) {
    window_is_over_ = false;
    resumes_ = nullptr;
    auto warps = progress(now.warps);
    if (warps.empty() || (!windows_.empty() && !all_follow(warps, windows_.back().warps))) {
        windows_.clear();
        window_scale_ = 1;
        ++stay_;
    }
    if (warps.empty()) {
        return {};
    }
    const double work = now.work();
    if (add_window(windows_, {static_cast<double>(now.now), now.counters, 0, now.stalls, std::move(warps)})) {
        window_scale_ *= 2;
    }
    return judge(work);
}

// The newest window: does it allow to skip?
TripSkip TripExtrapolator::judge(double work) {
    const auto cpis = cpis_of(windows_);
    auto& known = known_cpi(crowds_of(windows_.back().warps));
    const auto again = steady_again(known, cpis, work);
    const auto steady = again ? again : steady_state(cpis, work);
    if (cpis.size() > 1) {
        known.add(windows_[windows_.size() - 2], windows_.back(), stay_);
    }
    if (!steady) {
        return {};
    }
    steady_ = *steady;
    windows_seen_ = again ? known.windows : static_cast<double>(steady->windows);
    resumes_ = &known;
    return skip(windows_.back().warps, work);
}

// Where the others are crowd enough to run on as before, so much the better.
TripSkip TripExtrapolator::after_end(const Snapshot& now) {
    const auto warps = progress(now.warps);
    const bool as_before =
        !warps.empty() && all_follow(warps, windows_.back().warps) && crowds_of(warps) == resumes_->crowds;
    return as_before ? skip(warps, now.work()) : TripSkip{};
}

KnownCpi& TripExtrapolator::known_cpi(std::vector<LoopCrowd> crowds) {
    const auto found = std::find_if(known_.begin(), known_.end(),
                                    [&crowds](const KnownCpi& k) { return k.crowds == crowds; });
    return found != known_.end() ? *found
                                 : known_.emplace_back(KnownCpi{std::move(crowds), 0, 0, 0, 0, -1, {}});
}

// Over the steady windows, of each warp: the mean of its block, as barriers keep a block's warps together,
// and without them what it drifts.
std::vector<double> TripExtrapolator::trips_per_window(const std::vector<WarpProgress>& warps) const {
    const auto& to = windows_.back().warps;
    const auto& from = windows_[windows_.size() - 1 - steady_.windows].warps;
    std::vector<double> rate(warps.size(), 0);
    for (std::size_t first = 0; first < warps.size(); first += warps_per_block_) {
        double sum = 0;
        double live = 0;
        for (std::size_t w = first; w < first + warps_per_block_; ++w) {
            if (warps[w].live()) {
                sum += to[w].trips - from[w].trips;
                live += 1;
            }
        }
        for (std::size_t w = first; w < first + warps_per_block_; ++w) {
            if (warps[w].live()) {
                const double own = warps[w].loop->has_barrier ? 0 : to[w].trips - from[w].trips - sum / live;
                rate[w] = (sum / live + policy::drift * own) / static_cast<double>(steady_.windows);
            }
        }
    }
    return rate;
}

TripSkip TripExtrapolator::skip(const std::vector<WarpProgress>& warps, double work) {
    const auto rate = trips_per_window(warps);
    const double windows =
        std::min(windows_to_end(warps, rate), policy::skipped_per_window(work) * windows_seen_);
    if (windows * *std::max_element(rate.begin(), rate.end()) < 1) {
        return {};
    }
    TripSkip skip;
    double instructions = 0;
    for (std::size_t w = 0; w < warps.size(); ++w) {
        const auto trips = skip.trips.emplace_back(warps[w].live() ? std::llround(windows * rate[w]) : 0);
        if (warps[w].live()) {
            left_out_.warp_trips += static_cast<double>(trips);
            instructions += static_cast<double>(trips) * warps[w].loop->instructions_per_trip;
        }
    }
    skip.cycles = left_out_.add(instructions * steady_.mean, instructions, steady_.error, {}, resumes_->sum);
    return skip;
}

}  // namespace gpumodel::sim
