// When a run has become steady, so that the cycles of what follows need not be simulated.
//
// One run of one SM; what repeats is left out of it and its cycles are added (sm_skip.cpp):
// - Trips: while every resident warp is inside a top-level loop, windows of a few trips are compared. Once
//   they agree, each block's loop is shortened by as many trips as it would make in k windows. Loop counters
//   and addresses go on without a gap, and so do the caches; blocks keep the phases and rates they have.
// - Rounds: windows of as many blocks as are resident. Once the SM's cycles per instruction agree, k rounds
//   of the queue are left out; the last round and the partial one behind it are simulated.
//
//   steady = (2 standard errors of the mean, difference between the halves' means) <= tolerance, over the
//            last two thirds of the windows since the last change
//
// The tolerance is 0.25 % at first and doubles with every half million instructions that are simulated, and
// fewer windows are asked for (four, one less per 0.7 million), so that a kernel without a steady state ends
// in bounded time; what was accepted is in the error bound.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "model/sim/simulate.h"
#include "model/sim/stream.h"

namespace gpumodel::sim {

struct Steady {
    std::size_t windows = 0;  // the last so many
    double mean = 0;
    double error = 0;  // relative, of the mean
};

// `values`: one figure per window, oldest first.
[[nodiscard]] std::optional<Steady> steady_state(const std::vector<double>& values,
                                                 double simulated_instructions);

inline constexpr std::size_t most_windows = 16;

struct TopLoop {
    std::int32_t first_op = 0, last_op = 0;
    double instructions_per_trip = 0;
    // Trips per window: at least two and 512 instructions of the warp; a multiple of four where these are
    // short, so that accesses that walk through 128-byte lines in steps of 32 bytes repeat.
    std::int64_t window_trips = 0;
};
struct StreamProfile {
    std::vector<std::int32_t> top_loop_of_op;  // index into stream.loops; -1 = outside
    std::vector<TopLoop> loops;                // by index into stream.loops; inner ones are left empty
    double instructions = 0;
};
[[nodiscard]] StreamProfile profile_of(const WarpStream& stream);
// Trips of the top-level loop with the most instructions.
[[nodiscard]] std::int64_t longest_loop_trips(const DecodedProgram& decoded);

struct WarpProgress {
    std::int64_t generation = -1;  // of the warp's block; -1 = no warp
    std::int32_t loop = -1;
    double trips = 0;  // with the fraction by position in the loop

    [[nodiscard]] bool same_loop(const WarpProgress& other) const {
        return generation == other.generation && loop == other.loop;
    }
};
struct WindowEnd {
    double at = 0;
    SimCounters counters;
    double error_cycles = 0;
    std::vector<StallCycles> stalls;  // by code line
    std::vector<WarpProgress> warps;  // empty for rounds
};
// Keeps at most most_windows windows: beyond, every other end is dropped and true returned.
bool add_window(std::vector<WindowEnd>& ends, WindowEnd end);

// sum += scale * (later - earlier)
void add_scaled(SimCounters& sum, const SimCounters& later, const SimCounters& earlier, double scale);

}  // namespace gpumodel::sim
