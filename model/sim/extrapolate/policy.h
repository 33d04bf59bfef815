// The choices of extrapolation, all in one place. None of them is a fact about hardware: they trade work that
// the simulator is spared for error. What holds them in place: extrapolated runs of all families stay within
// 1 % of exact ones (tests/model/sim/families_test.cpp; `tools/bench fast` shows each run's error
// beside its bound). Where a choice has a reason of its own, it stands beside it.
//
// `work` = what the run has cost so far, in warp instructions.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>

namespace gpumodel::sim::policy {

// --- work
// A wavefront in the data pipe takes the simulator a quarter of an instruction's time.
inline constexpr double work_of_pipe_cycle = 0.25;

// --- how steady is steady: more and more is accepted, so that a kernel without a steady state ends in
// bounded time
[[nodiscard]] inline double tolerance(double work) {
    constexpr double at_start = 0.0025;
    constexpr double doubles_with = 1e6;
    return at_start * std::exp2(work / doubles_with);
}
[[nodiscard]] inline std::size_t fewest_windows(double work) {
    constexpr double at_start = 4, one_less_with = 0.7e6;
    return static_cast<std::size_t>(std::max(1.0, at_start - std::floor(work / one_less_with)));
}
// Of the windows since the last change the first third is warm-up.
[[nodiscard]] inline std::size_t warm_up(std::size_t windows) {
    return std::max<std::size_t>(1, windows / 3);
}
// Windows of iterations or rounds that are kept; beyond, two become one.
inline constexpr std::size_t most_windows = 16;

// --- windows of iterations
// At least two iterations, and 16384 instructions of all resident warps but of each 256 to 512.
inline constexpr double window_instructions = 16384;
inline constexpr double least_of_warp = 256, most_of_warp = 512;
inline constexpr std::int64_t least_trips = 2;
// Short windows: accesses that walk through 128-byte lines in steps of 32 bytes repeat every four iterations.
inline constexpr std::int64_t trips_multiple = 4;

// --- iterations to skip
// Windows per window that was seen: what follows tells whether it stays steady, and blocks that drift apart
// slowly only do so while they are simulated.
[[nodiscard]] inline double skipped_per_window(double work) {
    constexpr double most = 4, one_more_with = 1e6;
    return std::min(most, 1 + std::floor(work / one_more_with));
}
// Warps without barriers drift apart as in a random walk: twice as far over four times as many windows.
inline constexpr double drift = 0.5;
// A warp is left this far from its loop's end, so that it is still there when the others have moved on too.
[[nodiscard]] inline std::int64_t trips_before_end(std::int64_t window_trips) {
    constexpr std::int64_t least = 2, part_of_window = 8;
    return std::max(least, window_trips / part_of_window);
}

// --- stopping a run that takes too long (least_time.h)
// By how much the rest may run faster than the fastest stretch so far: blocks that start in step load and
// compute at the same time, and leave each other's way later. 194 warp tiles at 4096^3 (H200), each asked
// after every window whether it can end within its own time: two are refused (by 0.2 and 3 %; with single
// windows and 2 % from the start four are, by up to 3 %). A tile 7 % slower than the limit runs for 1.6 M
// instructions on average (2.4 M with single windows), one 20 % slower for 0.4 M.
[[nodiscard]] inline double faster_later(double work) {
    constexpr double least = 0.02, at_start = 0.1, halves_with = 1e6;
    return std::max(least, at_start * std::exp2(-work / halves_with));
}
inline constexpr std::size_t windows_of_stretch = 6;
inline constexpr std::size_t windows_for_least_time = 8;

// --- sets of loops that come back
// Until so much is simulated, every stay has to show by itself that it is steady.
inline constexpr double careful_work = 1.5e6;
// A set is known by so many windows, and by two stays, as windows of one stay are much alike.
inline constexpr double fewest_known = 6, fewest_stays = 2;
// The older half of more windows weighs less and less: blocks take a while to leave the step they start in.
inline constexpr double most_remembered = 32;
// Numbers of warps count as equal that agree in their four leading bits: to an eighth.
inline constexpr int leading_bits = 4;

// --- rounds of blocks
// Blocks that share an SM end at uneven distances: a round holds at least four of them.
[[nodiscard]] inline std::size_t blocks_of_round(std::size_t resident) {
    constexpr std::size_t shared = 4;
    return resident == 1 ? 1 : (shared + resident - 1) / resident * resident;
}
// The first round starts in step, and the second still has much of that.
[[nodiscard]] inline double fewest_rounds(double work) {
    constexpr double at_start = 4, least = 2, one_less_with = 1e6;
    return std::max(least, at_start - std::floor(work / one_less_with));
}

}  // namespace gpumodel::sim::policy
