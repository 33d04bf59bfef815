#include "model/sim/extrapolate/stream_profile.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "model/sim/extrapolate/policy.h"

namespace gpumodel::sim {
namespace {

std::int64_t window_trips(double instructions_per_trip, int resident_warps) {
    const double instructions =
        std::clamp(policy::window_instructions / resident_warps, policy::least_of_warp, policy::most_of_warp);
    const auto trips = static_cast<std::int64_t>(std::ceil(instructions / instructions_per_trip));
    constexpr auto multiple = policy::trips_multiple;
    return trips <= policy::least_trips ? policy::least_trips : (trips + multiple - 1) / multiple * multiple;
}

// `times`: by op, of a run of the stream.
TopLoop top_loop(const WarpStream& stream, const StreamLoop& loop, const std::vector<double>& times,
                 int resident_warps) {
    TopLoop top;
    top.first_op = loop.first_op;
    top.last_op = loop.last_op;
    top.trips = loop.trips;
    for (auto op = top.first_op; op <= loop.last_op; ++op) {
        const auto index = static_cast<std::size_t>(op);
        const auto& at = stream.ops[index];
        top.has_barrier = top.has_barrier || at.kind == OpKind::barrier || at.counts();
        top.instructions_per_trip += times[index] / static_cast<double>(loop.trips);
    }
    top.window_trips = window_trips(top.instructions_per_trip, resident_warps);
    return top;
}

// How often each op is executed in a run of the stream.
std::vector<double> times_of(const WarpStream& stream) {
    std::vector<double> times(stream.ops.size(), 1);
    for (std::size_t op = 0; op < stream.ops.size(); ++op) {
        times[op] = stream.ops[op].continues ? 0 : 1;
    }
    for (const auto& loop : stream.loops) {
        for (auto op = loop.first_op; op <= loop.last_op; ++op) {
            times[static_cast<std::size_t>(op)] *= static_cast<double>(loop.trips);
        }
    }
    return times;
}

}  // namespace

StreamWork work_of(const WarpStream& stream) {
    const auto times = times_of(stream);
    StreamWork work;
    std::vector<bool> loaded(static_cast<std::size_t>(stream.scoreboard_size));
    for (std::size_t i = 0; i < stream.ops.size(); ++i) {
        const auto& op = stream.ops[i];
        work.instructions += times[i];
        const auto* sources = op.sources.data();
        if (std::any_of(sources, sources + op.source_count, [&](auto number) { return loaded[number]; })) {
            work.waits += times[i];
            std::fill(loaded.begin(), loaded.end(), false);
        }
        for (int r = 0; r < op.result_count; ++r) {
            loaded[op.results[static_cast<std::size_t>(r)]] = op.kind == OpKind::global_load;
        }
    }
    return work;
}

StreamProfile profile_of(const WarpStream& stream, int resident_warps) {
    StreamProfile profile;
    profile.top_loop_of_op.assign(stream.ops.size(), -1);
    profile.loops.resize(stream.loops.size());
    const auto times = times_of(stream);
    profile.instructions = std::accumulate(times.begin(), times.end(), 0.0);
    for (std::size_t l = 0; l < stream.loops.size(); ++l) {
        const auto& loop = stream.loops[l];
        if (loop.depth == 0) {
            profile.loops[l] = top_loop(stream, loop, times, resident_warps);
            std::fill(profile.top_loop_of_op.begin() + loop.first_op,
                      profile.top_loop_of_op.begin() + loop.last_op + 1, static_cast<std::int32_t>(l));
        }
    }
    return profile;
}

StreamProfiles profiles_of(const DecodedProgram& decoded, int resident_warps) {
    StreamProfiles profiles;
    for (const auto& body : decoded.bodies) {
        auto& of_body = profiles.emplace_back();
        for (const auto& stream : body.streams) {
            of_body.push_back(profile_of(stream, resident_warps));
        }
    }
    return profiles;
}

std::vector<double> block_instructions(const DecodedProgram& decoded, const StreamProfiles& profiles) {
    std::vector<double> instructions;
    for (std::size_t b = 0; b < profiles.size(); ++b) {
        double of_body = 0;
        for (const int stream : decoded.bodies[b].stream_of_warp) {
            of_body += profiles[b][static_cast<std::size_t>(stream)].instructions;
        }
        instructions.push_back(of_body);
    }
    return instructions;
}

std::int64_t longest_loop_trips(const DecodedProgram& decoded) {
    double most = 0;
    std::int64_t trips = 0;
    for (const auto& of_body : profiles_of(decoded, 1)) {
        for (const auto& profile : of_body) {
            for (const auto& loop : profile.loops) {
                const double all = loop.instructions_per_trip * static_cast<double>(loop.trips);
                if (all > most) {
                    most = all;
                    trips = loop.trips;
                }
            }
        }
    }
    return trips;
}

}  // namespace gpumodel::sim
