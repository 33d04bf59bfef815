// Fast-forward of a run: windows of trips and of rounds, and what is left out once they agree.
#include <algorithm>
#include <cmath>

#include "model/sim/sm_run.h"

namespace gpumodel::sim {
namespace {

void add(std::vector<StallCycles>& sum, const std::vector<StallCycles>& part) {
    for (std::size_t line = 0; line < part.size(); ++line) {
        for (std::size_t r = 0; r < stall_reason_count; ++r) {
            sum[line][r] += part[line][r];
        }
    }
}

}  // namespace

void SmRun::start_fast_forward() {
    skip_.on = plan_.fast_forward;
    skip_.rounds.push_back({0, {}, 0, std::vector<StallCycles>(out_.stalls.size()), {}});
    for (std::size_t b = 0; skip_.on && b < decoded_.bodies.size(); ++b) {
        auto& of_body = skip_.profiles.emplace_back();
        for (const auto& stream : decoded_.bodies[b].streams) {
            of_body.push_back(profile_of(stream));
        }
    }
}

// A warp starts another trip of a top-level loop; a window ends when the resident warps have made its trips
// on average (a single warp may starve for long).
void SmRun::on_trip(const Warp& warp, std::int32_t loop) {
    if (--skip_.countdown > 0) {
        return;
    }
    const auto trips = warp.profile->loops[static_cast<std::size_t>(loop)].window_trips;
    const auto live = std::count_if(warps_.begin(), warps_.end(), [](const Warp& w) { return w.live; });
    skip_.countdown = skip_.window_scale * trips * live;
    skip_.window_is_over = true;
}

SimCounters SmRun::counters_so_far() const {
    auto counters = out_.counters;
    counters.data_pipe_cycles = pipe_.busy_cycles;
    counters.l2_read_bytes = memory_.read_bytes;
    counters.l2_write_bytes = memory_.written_bytes;
    return counters;
}

// Where each warp stands; nothing unless all of them are inside a top-level loop.
std::vector<WarpProgress> SmRun::progress() const {
    std::vector<WarpProgress> all(warps_.size());
    for (std::size_t w = 0; w < warps_.size(); ++w) {
        const auto& warp = warps_[w];
        if (!warp.live) {
            continue;
        }
        const auto loop = warp.profile->top_loop_of_op[static_cast<std::size_t>(warp.pc)];
        if (loop < 0) {
            return {};
        }
        const auto& top = warp.profile->loops[static_cast<std::size_t>(loop)];
        all[w] = {warp.generation, loop,
                  static_cast<double>(warp.counters[0]) +
                      static_cast<double>(warp.pc - top.first_op) / (top.last_op - top.first_op + 1)};
    }
    return all;
}

void SmRun::end_window(Cycle now) {
    skip_.window_is_over = false;
    auto& windows = skip_.windows;
    WindowEnd end{static_cast<double>(now), counters_so_far(), 0, out_.stalls, progress()};
    const auto changed = [&end](const WindowEnd& last) {
        return !std::equal(end.warps.begin(), end.warps.end(), last.warps.begin(), last.warps.end(),
                           [](const auto& a, const auto& b) { return a.same_loop(b); });
    };
    if (end.warps.empty() || (!windows.empty() && changed(windows.back()))) {
        windows.clear();
        skip_.window_scale = 1;
    }
    if (end.warps.empty()) {
        return;
    }
    if (add_window(windows, std::move(end))) {
        skip_.window_scale *= 2;
    }
    std::vector<double> cycles;
    for (std::size_t i = 1; i < windows.size(); ++i) {
        cycles.push_back(windows[i].at - windows[i - 1].at);
    }
    if (const auto steady = steady_state(cycles, out_.counters.instructions)) {
        skip_trips(*steady);
    }
}

// Trips per window of each warp: the mean of its block. Barriers keep a block's warps together; without them
// the warps drift apart as far as the run is long, which hardly changes what the SM gets done.
std::vector<double> SmRun::trips_per_window(std::size_t windows) const {
    const auto& to = skip_.windows.back();
    const auto& from = skip_.windows[skip_.windows.size() - 1 - windows];
    std::vector<double> rate(warps_.size(), 0);
    const auto per_block = static_cast<std::size_t>(warps_per_block_);
    for (std::size_t first = 0; first < warps_.size(); first += per_block) {
        double sum = 0;
        double live = 0;
        for (std::size_t w = first; w < first + per_block; ++w) {
            if (warps_[w].live) {
                sum += to.warps[w].trips - from.warps[w].trips;
                live += 1;
            }
        }
        for (std::size_t w = first; w < first + per_block && live > 0; ++w) {
            rate[w] = warps_[w].live ? sum / live / static_cast<double>(windows) : 0;
        }
    }
    return rate;
}

// Whole windows until the first warp comes within one window of its loop's end.
double SmRun::windows_to_skip(const std::vector<double>& rate) const {
    double windows = static_cast<double>(never);
    for (std::size_t w = 0; w < warps_.size(); ++w) {
        if (rate[w] <= 0) {
            continue;
        }
        const auto l = static_cast<std::size_t>(skip_.windows.back().warps[w].loop);
        const double left = static_cast<double>(warps_[w].trips[l] - 1) - skip_.windows.back().warps[w].trips;
        const auto margin = static_cast<double>(warps_[w].profile->loops[l].window_trips);
        windows = std::min(windows, std::floor((left - margin) / rate[w]));
    }
    return windows < static_cast<double>(never) ? windows : 0;
}

void SmRun::skip_trips(const Steady& steady) {
    const auto rate = trips_per_window(steady.windows);
    // The windows that follow tell whether it stays steady.
    constexpr double per_window_seen = 4;
    const double windows =
        std::min(windows_to_skip(rate), per_window_seen * static_cast<double>(steady.windows));
    if (windows < 1) {
        return;
    }
    double instructions = 0;
    skip_.trips.resize(warps_.size());
    for (std::size_t w = 0; w < warps_.size(); ++w) {
        auto& warp = warps_[w];
        if (!warp.live) {
            continue;
        }
        const auto l = static_cast<std::size_t>(skip_.windows.back().warps[w].loop);
        const auto trips = std::llround(windows * rate[w]);
        auto& own = skip_.trips[w];
        if (warp.trips != own.data()) {
            own.assign(warp.trips, warp.trips + warp.stream->loops.size());
            warp.trips = own.data();
        }
        own[l] -= trips;
        skip_.warp_trips += static_cast<double>(trips);
        instructions += static_cast<double>(trips) * warp.profile->loops[l].instructions_per_trip;
    }
    const auto& from = skip_.windows[skip_.windows.size() - 1 - steady.windows];
    leave_out(windows * steady.mean, instructions, steady.error, from, skip_.windows.back());
}

// Adds what was not simulated, in the proportions of what was between two window ends.
void SmRun::leave_out(double cycles, double instructions, double error, const WindowEnd& from,
                      const WindowEnd& to) {
    skip_.cycles += static_cast<Cycle>(std::llround(cycles));
    const double share = cycles / (to.at - from.at);
    skip_.error_cycles += error * cycles + share * (to.error_cycles - from.error_cycles);
    add_scaled(skip_.counters, to.counters, from.counters,
               instructions / (to.counters.instructions - from.counters.instructions));
    skip_.stalls.resize(out_.stalls.size());
    for (std::size_t line = 0; line < out_.stalls.size(); ++line) {
        for (std::size_t r = 0; r < stall_reason_count; ++r) {
            skip_.stalls[line][r] +=
                std::llround(share * static_cast<double>(to.stalls[line][r] - from.stalls[line][r]));
        }
    }
}

// A block ended at `end` and the queue goes on.
void SmRun::end_block(Cycle end) {
    // Blocks that share an SM end at uneven distances: a window holds at least four of them.
    constexpr std::size_t shared = 4;
    const auto resident = slots_.size();
    const auto window = resident == 1 ? 1 : (shared + resident - 1) / resident * resident;
    if (++skip_.block_ends % window != 0) {
        return;
    }
    WindowEnd round{
        static_cast<double>(end + skip_.cycles), counters_so_far(), skip_.error_cycles, out_.stalls, {}};
    add_scaled(round.counters, skip_.counters, {}, 1);
    add(round.stalls, skip_.stalls);
    auto& rounds = skip_.rounds;
    add_window(rounds, std::move(round));
    std::vector<double> cycles_per_instruction;
    for (std::size_t i = 1; i < rounds.size(); ++i) {
        cycles_per_instruction.push_back(
            (rounds[i].at - rounds[i - 1].at) /
            (rounds[i].counters.instructions - rounds[i - 1].counters.instructions));
    }
    const auto steady = steady_state(cycles_per_instruction, out_.counters.instructions);
    // the first round starts in step, and the second still has much of that
    constexpr std::size_t fewest_rounds = 4;
    if (steady && cycles_per_instruction.size() >= fewest_rounds) {
        skip_blocks(*steady);
    }
}

double SmRun::instructions_of_block(std::size_t planned) const {
    const auto body = static_cast<std::size_t>(table_.body_of(plan_.blocks[planned]));
    double instructions = 0;
    for (const int stream : decoded_.bodies[body].stream_of_warp) {
        instructions += skip_.profiles[body][static_cast<std::size_t>(stream)].instructions;
    }
    return instructions;
}

void SmRun::skip_blocks(const Steady& steady) {
    const auto resident = slots_.size();
    const auto waiting = std::max(plan_.share, next_block_) - next_block_;
    if (waiting < 2 * resident) {
        return;
    }
    const auto blocks = (waiting - resident) / resident * resident;
    double instructions = 0;
    for (std::size_t b = next_block_; b < next_block_ + blocks; ++b) {
        instructions += instructions_of_block(b);
    }
    next_block_ += blocks;
    generation_ += static_cast<std::int64_t>(blocks);
    skip_.blocks += static_cast<std::int64_t>(blocks);
    leave_out(instructions * steady.mean, instructions, steady.error,
              skip_.rounds[skip_.rounds.size() - 1 - steady.windows], skip_.rounds.back());
    skip_.rounds.clear();
}

void SmRun::add_left_out() {
    const auto started = static_cast<double>(next_block_) - static_cast<double>(skip_.blocks);
    out_.blocks = static_cast<std::int64_t>(next_block_);
    out_.end += static_cast<double>(skip_.cycles);
    out_.simulated_instructions = out_.counters.instructions;
    out_.simulated_blocks = static_cast<std::int64_t>(started);
    out_.trips_left_out = skip_.warp_trips / (started * warps_per_block_);
    out_.error_cycles = skip_.error_cycles;
    add_scaled(out_.counters, skip_.counters, {}, 1);
    add(out_.stalls, skip_.stalls);
}

}  // namespace gpumodel::sim
