#include "model/sim/fast_forward.h"

#include <algorithm>
#include <cmath>

namespace gpumodel::sim {
namespace {

constexpr double least_instructions = 512;  // of a warp in T1 trips
// Of all runs together: the two-point slope carries the noise of how resident blocks interleave, which
// shrinks with T1, so T1 grows as long as the runs stay short.
constexpr double instruction_budget = 2e6;

// Instructions of one trip of a top-level loop, inner loops counted with their trips.
double instructions_per_trip(const WarpStream& stream, std::size_t loop) {
    double total = 0;
    const auto first = stream.loops[loop].first_op;
    for (auto op = first; op < static_cast<std::int32_t>(stream.ops.size()); ++op) {
        total += 1;
        auto l = stream.ops[static_cast<std::size_t>(op)].loop;
        for (; l >= 0 && l != static_cast<std::int32_t>(loop);
             l = stream.loops[static_cast<std::size_t>(l)].outer) {
            const auto& inner = stream.loops[static_cast<std::size_t>(l)];
            if (inner.first_op >= first) {
                total += static_cast<double>(inner.trips - 1) * (op - inner.first_op + 1);
            }
        }
        if (l == static_cast<std::int32_t>(loop)) {
            break;
        }
    }
    return total;
}

struct LongestLoop {
    double instructions = 0;  // trips x per trip
    double per_trip = 1;
    std::int64_t trips = 0;
};

LongestLoop longest_loop(const DecodedProgram& decoded) {
    LongestLoop longest;
    for (const auto& body : decoded.bodies) {
        for (const auto& stream : body.streams) {
            for (std::size_t l = 0; l < stream.loops.size(); ++l) {
                if (stream.loops[l].depth != 0) {
                    continue;
                }
                const double per_trip = instructions_per_trip(stream, l);
                const double all = per_trip * static_cast<double>(stream.loops[l].trips);
                if (all > longest.instructions) {
                    longest = {all, per_trip, stream.loops[l].trips};
                }
            }
        }
    }
    return longest;
}

}  // namespace

FastForward plan_fast_forward(const DecodedProgram& decoded, std::int64_t blocks, int resident, bool exact) {
    FastForward plan;
    const auto longest = longest_loop(decoded);
    plan.trips = longest.trips;
    plan.rounds = blocks / resident;
    if (exact) {
        return plan;
    }
    // Blocks that share an SM end at uneven distances (the arbiter favours one of them): the window over
    // which the rate is taken holds at least sixteen.
    constexpr int window_blocks = 16;
    const std::int64_t short_rounds =
        resident == 1 ? 4 : std::max(4, 2 * ((window_blocks + resident - 1) / resident));
    plan.short_rounds = plan.rounds > short_rounds + 1 ? short_rounds : 0;
    const auto run_blocks = plan.short_rounds > 0 ? short_rounds * resident + blocks % resident : blocks;
    const auto warps =
        static_cast<double>(run_blocks) * static_cast<double>(decoded.bodies.front().stream_of_warp.size());
    const double instructions = std::max(least_instructions, instruction_budget / (3 * warps));
    const auto needed = static_cast<std::int64_t>(std::ceil(instructions / longest.per_trip));
    const std::int64_t multiple = 8 * longest.per_trip > 2 * instructions ? 4 : 8;
    const auto short_trips = (std::max(needed, multiple) + multiple - 1) / multiple * multiple;
    plan.short_trips = longest.trips > 3 * short_trips ? short_trips : 0;
    return plan;
}

std::vector<PlannedRun> planned_runs(const FastForward& plan) {
    if (plan.short_trips == 0) {
        return {{plan.trips, 1}};
    }
    const double beyond =
        static_cast<double>(plan.trips - plan.short_trips) / static_cast<double>(plan.short_trips);
    return {{plan.short_trips, 1 - beyond}, {2 * plan.short_trips, beyond}};
}

double cycles_of_all_rounds(const FastForward& plan, int resident, double end,
                            const std::vector<BlockEnd>& block_ends) {
    if (plan.short_rounds == 0) {
        return end;
    }
    const auto& half = block_ends[static_cast<std::size_t>(plan.short_rounds / 2 * resident) - 1];
    const auto& all = block_ends[static_cast<std::size_t>(plan.short_rounds * resident) - 1];
    const double rate = (all.instructions - half.instructions) / static_cast<double>(all.at - half.at);
    const double round = block_ends.back().instructions * resident / static_cast<double>(block_ends.size());
    return end + static_cast<double>(plan.rounds - plan.short_rounds) * round / rate;
}

LoopTrips shortened_trips(const DecodedProgram& decoded, const FastForward& plan, std::int64_t trips) {
    LoopTrips all;
    for (const auto& body : decoded.bodies) {
        auto& of_body = all.emplace_back();
        for (const auto& stream : body.streams) {
            auto& of_stream = of_body.emplace_back();
            for (const auto& loop : stream.loops) {
                const bool main = plan.short_trips > 0 && loop.depth == 0 && 2 * loop.trips > plan.trips;
                const double share =
                    static_cast<double>(trips) / static_cast<double>(std::max<std::int64_t>(1, plan.trips));
                of_stream.push_back(
                    main ? std::max<std::int64_t>(1, std::llround(share * static_cast<double>(loop.trips)))
                         : loop.trips);
            }
        }
    }
    return all;
}

}  // namespace gpumodel::sim
