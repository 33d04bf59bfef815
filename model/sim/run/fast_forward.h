// When a run has become steady, so that the cycles of what follows need not be simulated.
//
// One run of one SM; what repeats is left out of it and its cycles are added (sm_skip.cpp):
// - Trips: while every resident warp is inside a top-level loop, windows of a few trips are compared. Once
//   they agree, each block's loop is shortened by as many trips as it would make in k windows. Loop counters
//   and addresses go on without a gap, and so do the caches; blocks keep the phases and rates they have.
//   A set of resident loops that comes back (the next block) and runs as it did before is steady after the
//   first window behind its warm-up; and a warp's end does not unsettle the rest.
// - Rounds: windows of as many blocks as are resident. Once the SM's cycles per instruction agree, k rounds
//   of the queue are left out; the last round and the partial one behind it are simulated.
//
//   steady = (2 standard errors of the mean, difference between the halves' means) <= tolerance, over the
//            last two thirds of the windows since the last change
//
// The tolerance is 0.25 % at first and doubles with every million instructions of work, and
// fewer windows are asked for (four, one less per 0.7 million), so that a kernel without a steady state ends
// in bounded time; what was accepted is in the error bound.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "model/sim/core/stream.h"
#include "model/sim/simulate.h"

namespace gpumodel::sim {

struct Steady {
    std::size_t windows = 0;  // the last so many
    double mean = 0;
    double error = 0;  // relative, of the mean
};

// `values`: one figure per window, oldest first.
[[nodiscard]] std::optional<Steady> steady_state(const std::vector<double>& values, double work);

inline constexpr std::size_t most_windows = 16;

struct TopLoop {
    std::int32_t first_op = 0, last_op = 0;
    double instructions_per_trip = 0;
    bool has_barrier = false;
    // Trips per window: at least two, and 16384 instructions of all resident warps but of each 256 to 512; a
    // multiple of four where these are short, so that accesses that walk through 128-byte lines in steps of
    // 32 bytes repeat.
    std::int64_t window_trips = 0;
};
struct StreamProfile {
    std::vector<std::int32_t> top_loop_of_op;  // index into stream.loops; -1 = outside
    std::vector<TopLoop> loops;                // by index into stream.loops; inner ones are left empty
    double instructions = 0;
};
[[nodiscard]] StreamProfile profile_of(const WarpStream& stream, int resident_warps = 1);
// Trips of the top-level loop with the most instructions.
[[nodiscard]] std::int64_t longest_loop_trips(const DecodedProgram& decoded);

struct WarpProgress {
    std::int64_t generation = -1;  // of the warp's block; -1 = no warp
    std::int32_t loop = -1;
    double trips = 0;  // with the fraction by position in the loop

    // The same warp in the same loop, or it has ended.
    [[nodiscard]] bool follows(const WarpProgress& earlier) const {
        return generation < 0 || (generation == earlier.generation && loop == earlier.loop);
    }
};
struct WindowEnd {
    double at = 0;
    SimCounters counters;
    double error_cycles = 0;
    std::vector<StallCycles> stalls;  // by code line
    std::vector<WarpProgress> warps;  // empty for rounds
};
// Warps inside one top-level loop; their number to an eighth, as one warp more or less hardly matters.
struct LoopCrowd {
    const StreamProfile* profile = nullptr;
    std::int32_t loop = -1;
    std::int32_t warps = 0;

    [[nodiscard]] bool operator==(const LoopCrowd&) const = default;
};
[[nodiscard]] std::int32_t to_an_eighth(std::int32_t warps);

// What windows of trips have shown of one set of crowds, over all the times that it came back.
struct KnownPace {
    std::vector<LoopCrowd> crowds;
    double windows = 0;
    double mean = 0;     // cycles per instruction
    double squares = 0;  // sum of squared deviations from the mean
    double stays = 0;    // times that the set was there: windows of one stay are much alike
    std::int64_t last_stay = -1;
    WindowEnd sum;  // from 0

    // The older half weighs less and less: blocks take a while to leave the step in which they start.
    void add(const WindowEnd& from, const WindowEnd& to, std::int64_t stay);
};
// Windows of a set that is known and goes on as it did: steady with fewer of them. `paces`: cycles per
// instruction by window since the set came back, oldest first; the first is warm-up. Mean and error are of
// all that is known, the error at least the distance of the new windows from it.
[[nodiscard]] std::optional<Steady> steady_again(const KnownPace& known, const std::vector<double>& paces,
                                                 double work);

// Windows to skip at most per window that was seen: what follows tells whether it stays steady, and blocks
// that drift apart slowly only do so while they are simulated.
[[nodiscard]] double skipped_per_window(double work);

// Keeps at most most_windows windows: beyond, every other end is dropped and true returned.
bool add_window(std::vector<WindowEnd>& ends, WindowEnd end);

[[nodiscard]] double pace_of(const WindowEnd& from, const WindowEnd& to);  // cycles per instruction

// sum += scale * (later - earlier)
void add_scaled(SimCounters& sum, const SimCounters& later, const SimCounters& earlier, double scale);

}  // namespace gpumodel::sim
