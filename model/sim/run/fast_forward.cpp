#include "model/sim/run/fast_forward.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <numeric>
#include <type_traits>
#include <utility>

namespace gpumodel::sim {
namespace {

double mean_of(const double* first, std::size_t count) {
    return std::accumulate(first, first + count, 0.0) / static_cast<double>(count);
}

TopLoop top_loop(const WarpStream& stream, std::size_t loop, std::int32_t last,
                 const std::vector<double>& times, int resident_warps) {
    const double least_instructions = std::clamp(16384.0 / resident_warps, 256.0, 512.0);
    TopLoop top;
    top.first_op = stream.loops[loop].first_op;
    top.last_op = last;
    for (auto op = top.first_op; op <= last; ++op) {
        const auto index = static_cast<std::size_t>(op);
        top.has_barrier = top.has_barrier || stream.ops[index].kind == OpKind::barrier;
        top.instructions_per_trip += times[index] / static_cast<double>(stream.loops[loop].trips);
    }
    const auto trips = static_cast<std::int64_t>(std::ceil(least_instructions / top.instructions_per_trip));
    constexpr std::int64_t multiple = 4;
    top.window_trips = trips <= 2 ? 2 : (trips + multiple - 1) / multiple * multiple;
    return top;
}

double tolerance_after(double work) {
    constexpr double at_start = 0.0025;
    constexpr double doubles_with = 1e6;
    return at_start * std::exp2(work / doubles_with);
}

// Until so many are simulated, every stay has to show by itself that it is steady.
constexpr double careful_work = 1.5e6;

std::size_t fewest_windows(double work) {
    constexpr double one_less_with = 0.7e6;
    return static_cast<std::size_t>(std::max(1.0, 4 - std::floor(work / one_less_with)));
}

}  // namespace

std::optional<Steady> steady_state(const std::vector<double>& values, double work) {
    const std::size_t warm_up = std::max<std::size_t>(1, values.size() / 3);
    if (values.size() < warm_up + fewest_windows(work)) {
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
    return steady.error <= tolerance_after(work) ? std::optional(steady) : std::nullopt;
}

std::int32_t to_an_eighth(std::int32_t warps) {
    constexpr int kept_bits = 4;
    const int dropped =
        std::max(0, static_cast<int>(std::bit_width(static_cast<unsigned>(warps))) - kept_bits);
    return warps >> dropped << dropped;
}

double pace_of(const WindowEnd& from, const WindowEnd& to) {
    return (to.at - from.at) / (to.counters.instructions - from.counters.instructions);
}

double skipped_per_window(double work) {
    constexpr double most = 4;
    constexpr double one_more_with = 1e6;
    return std::min(most, 1 + std::floor(work / one_more_with));
}

void KnownPace::add(const WindowEnd& from, const WindowEnd& to, std::int64_t stay) {
    constexpr double most_remembered = 32;
    if (windows >= most_remembered) {
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
    constexpr double fewest_known = 6, fewest_stays = 2;
    if (known.windows < fewest_known || known.stays < fewest_stays || paces.size() < 2 ||
        work < careful_work) {
        return std::nullopt;
    }
    const auto count = paces.size() - 1;
    const auto n = static_cast<double>(count);
    const double own = mean_of(paces.data() + 1, count);
    const double deviation = std::sqrt(known.squares / (known.windows - 1));
    const double distance = std::abs(own - known.mean);
    if (distance > std::max(tolerance_after(work) * known.mean, 2 * deviation / std::sqrt(n))) {
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

StreamProfile profile_of(const WarpStream& stream, int resident_warps) {
    StreamProfile profile;
    profile.top_loop_of_op.assign(stream.ops.size(), -1);
    profile.loops.resize(stream.loops.size());
    std::vector<std::int32_t> last(stream.loops.size(), 0);
    for (std::size_t op = 0; op < stream.ops.size(); ++op) {
        for (auto l = stream.ops[op].loop; l >= 0; l = stream.loops[static_cast<std::size_t>(l)].outer) {
            last[static_cast<std::size_t>(l)] = static_cast<std::int32_t>(op);
        }
    }
    std::vector<double> times(stream.ops.size(), 1);  // per run of the stream
    for (std::size_t l = 0; l < stream.loops.size(); ++l) {
        for (auto op = stream.loops[l].first_op; op <= last[l]; ++op) {
            times[static_cast<std::size_t>(op)] *= static_cast<double>(stream.loops[l].trips);
        }
    }
    profile.instructions = std::accumulate(times.begin(), times.end(), 0.0);
    for (std::size_t l = 0; l < stream.loops.size(); ++l) {
        if (stream.loops[l].depth == 0) {
            profile.loops[l] = top_loop(stream, l, last[l], times, resident_warps);
            std::fill(profile.top_loop_of_op.begin() + stream.loops[l].first_op,
                      profile.top_loop_of_op.begin() + last[l] + 1, static_cast<std::int32_t>(l));
        }
    }
    return profile;
}

std::int64_t longest_loop_trips(const DecodedProgram& decoded) {
    double most = 0;
    std::int64_t trips = 0;
    for (const auto& body : decoded.bodies) {
        for (const auto& stream : body.streams) {
            const auto profile = profile_of(stream);
            for (std::size_t l = 0; l < stream.loops.size(); ++l) {
                const double all =
                    profile.loops[l].instructions_per_trip * static_cast<double>(stream.loops[l].trips);
                if (all > most) {
                    most = all;
                    trips = stream.loops[l].trips;
                }
            }
        }
    }
    return trips;
}

bool add_window(std::vector<WindowEnd>& ends, WindowEnd end) {
    ends.push_back(std::move(end));
    if (ends.size() <= most_windows + 1) {
        return false;
    }
    for (std::size_t i = 1; 2 * i < ends.size(); ++i) {
        ends[i] = std::move(ends[2 * i]);
    }
    ends.resize((ends.size() + 1) / 2);
    return true;
}

void add_scaled(SimCounters& sum, const SimCounters& later, const SimCounters& earlier, double scale) {
    static_assert(std::is_trivially_copyable_v<SimCounters> && alignof(SimCounters) == alignof(double));
    using Flat = std::array<double, sizeof(SimCounters) / sizeof(double)>;  // nothing but doubles
    auto total = std::bit_cast<Flat>(sum);
    const auto to = std::bit_cast<Flat>(later);
    const auto from = std::bit_cast<Flat>(earlier);
    for (std::size_t i = 0; i < total.size(); ++i) {
        total[i] += scale * (to[i] - from[i]);
    }
    sum = std::bit_cast<SimCounters>(total);
}

}  // namespace gpumodel::sim
