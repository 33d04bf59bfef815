// Fast-forward of a run: windows of trips and of rounds, and what is left out once they agree.
#include <algorithm>
#include <cmath>
#include <utility>

#include "model/sim/run/sm_run.h"

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
    const int warps = plan_.resident * static_cast<int>(decoded_.bodies.front().stream_of_warp.size());
    for (std::size_t b = 0; skip_.on && b < decoded_.bodies.size(); ++b) {
        auto& of_body = skip_.profiles.emplace_back();
        for (const auto& stream : decoded_.bodies[b].streams) {
            of_body.push_back(profile_of(stream, warps));
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

// What the run has cost so far, in instructions: the data pipe's wavefronts take time as well.
double SmRun::work() const {
    constexpr double of_pipe_cycle = 0.25;
    return out_.counters.instructions + of_pipe_cycle * pipe_.busy_cycles;
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
    const auto follows = [&end](const WindowEnd& last) {
        return std::equal(end.warps.begin(), end.warps.end(), last.warps.begin(), last.warps.end(),
                          [](const auto& a, const auto& b) { return a.follows(b); });
    };
    skip_.resumes = nullptr;
    if (end.warps.empty() || (!windows.empty() && !follows(windows.back()))) {
        windows.clear();
        skip_.window_scale = 1;
        ++skip_.stay;
    }
    if (end.warps.empty()) {
        return;
    }
    if (add_window(windows, std::move(end))) {
        skip_.window_scale *= 2;
    }
    judge_trips();
}

// The newest window: does it allow to skip?
void SmRun::judge_trips() {
    const auto& windows = skip_.windows;
    std::vector<double> paces;
    for (std::size_t i = 1; i < windows.size(); ++i) {
        paces.push_back(pace_of(windows[i - 1], windows[i]));
    }
    auto& known = known_pace(crowds());
    const double simulated = work();
    const auto again = steady_again(known, paces, simulated);
    const auto steady = again ? again : steady_state(paces, simulated);
    if (paces.size() > 1) {
        known.add(windows[windows.size() - 2], windows.back(), skip_.stay);
    }
    if (steady) {
        skip_.steady = *steady;
        skip_.windows_seen = again ? known.windows : static_cast<double>(steady->windows);
        skip_.resumes = &known;
        skip_trips(*steady, known, trips_per_window(steady->windows));
    }
}

// A warp has ended: where the others are crowd enough to run on as before, so much the better.
void SmRun::resume_skipping() {
    skip_.warp_has_ended = false;
    if (skip_.resumes == nullptr) {
        return;
    }
    auto& now = skip_.windows.back().warps;
    auto where = progress();
    const bool follows =
        !where.empty() && std::equal(where.begin(), where.end(), now.begin(), now.end(),
                                     [](const auto& a, const auto& b) { return a.follows(b); });
    if (!follows) {
        return;
    }
    const auto rate = trips_per_window(skip_.steady.windows);
    const auto then = std::exchange(now, std::move(where));
    if (crowds() == skip_.resumes->crowds) {
        skip_trips(skip_.steady, *skip_.resumes, rate);
    }
    skip_.windows.back().warps = then;
}

std::vector<LoopCrowd> SmRun::crowds() const {
    std::vector<LoopCrowd> all;
    for (const auto& warp : warps_) {
        if (!warp.live) {
            continue;
        }
        const auto loop = warp.profile->top_loop_of_op[static_cast<std::size_t>(warp.pc)];
        const auto found = std::find_if(all.begin(), all.end(), [&](const LoopCrowd& c) {
            return c.profile == warp.profile && c.loop == loop;
        });
        (found != all.end() ? *found : all.emplace_back(LoopCrowd{warp.profile, loop, 0})).warps += 1;
    }
    for (auto& crowd : all) {
        crowd.warps = to_an_eighth(crowd.warps);
    }
    return all;
}

KnownPace& SmRun::known_pace(std::vector<LoopCrowd> crowds) {
    auto& all = skip_.known;
    const auto found =
        std::find_if(all.begin(), all.end(), [&crowds](const KnownPace& k) { return k.crowds == crowds; });
    return found != all.end() ? *found : all.emplace_back(KnownPace{std::move(crowds), 0, 0, 0, 0, -1, {}});
}

// Trips per window of each warp: the mean of its block, as barriers keep a block's warps together. Without
// them the warps drift apart; as in a random walk, twice as far over four times as many windows.
std::vector<double> SmRun::trips_per_window(std::size_t windows) const {
    const auto& to = skip_.windows.back();
    const auto& from = skip_.windows[skip_.windows.size() - 1 - windows];
    std::vector<double> rate(warps_.size(), 0);
    const auto per_block = static_cast<std::size_t>(warps_per_block_);
    for (std::size_t first = 0; first < warps_.size(); first += per_block) {
        double sum = 0;
        double live = 0;
        for (std::size_t w = first; w < first + per_block; ++w) {
            if (warps_[w].live && to.warps[w].generation >= 0) {
                sum += to.warps[w].trips - from.warps[w].trips;
                live += 1;
            }
        }
        for (std::size_t w = first; w < first + per_block && live > 0; ++w) {
            if (!warps_[w].live) {
                continue;
            }
            constexpr double drift = 0.5;
            const auto& top = warps_[w].profile->loops[static_cast<std::size_t>(to.warps[w].loop)];
            const double own = top.has_barrier ? 0 : to.warps[w].trips - from.warps[w].trips - sum / live;
            rate[w] = (sum / live + drift * own) / static_cast<double>(windows);
        }
    }
    return rate;
}

// Windows until the first warp comes near its loop's end: so near that it is still there when the others
// have moved on as well.
double SmRun::windows_to_skip(const std::vector<double>& rate) const {
    constexpr std::int64_t part_of_window = 8;
    constexpr std::int64_t least_margin = 2;
    double windows = static_cast<double>(never);
    for (std::size_t w = 0; w < warps_.size(); ++w) {
        if (rate[w] <= 0) {
            continue;
        }
        const auto l = static_cast<std::size_t>(skip_.windows.back().warps[w].loop);
        const double left = static_cast<double>(warps_[w].trips[l] - 1) - skip_.windows.back().warps[w].trips;
        const auto margin = std::max(least_margin, warps_[w].profile->loops[l].window_trips / part_of_window);
        windows = std::min(windows, (left - static_cast<double>(margin)) / rate[w]);
    }
    return windows < static_cast<double>(never) ? windows : 0;
}

void SmRun::skip_trips(const Steady& steady, const KnownPace& known, const std::vector<double>& rate) {
    const double simulated = work();
    const double windows =
        std::min(windows_to_skip(rate), skipped_per_window(simulated) * skip_.windows_seen);
    if (windows * *std::max_element(rate.begin(), rate.end()) < 1) {
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
    leave_out(instructions * steady.mean, instructions, steady.error, {}, known.sum);
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
            const auto before = from.stalls.empty() ? 0 : from.stalls[line][r];
            skip_.stalls[line][r] += std::llround(share * static_cast<double>(to.stalls[line][r] - before));
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
    const auto steady = steady_state(cycles_per_instruction, work());
    // the first round starts in step, and the second still has much of that
    constexpr double one_less_with = 1e6;
    const double fewest_rounds = std::max(2.0, 4 - std::floor(work() / one_less_with));
    if (steady && static_cast<double>(cycles_per_instruction.size()) >= fewest_rounds) {
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
