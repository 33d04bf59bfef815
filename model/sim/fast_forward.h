// Which runs of one SM give the whole launch: all of it, or shorter ones and a linear extrapolation.
//
// Rounds: of the R rounds of resident blocks the first r are run (four, more where few blocks share the SM),
// with the remainder that the last, partial round holds. The rest is R - r rounds of instructions at the rate
// at which the SM issues between the end of the r/2-th round's last block and the r-th's (the first rounds
// still start in step; block ends alone come too unevenly). Trips: the longest top-level loop with T1 and
// 2*T1 of its T trips:
//   f(T) = f(T1) + (T - T1)/T1 * (f(2 T1) - f(T1))
// T1 covers at least 512 instructions of a warp and 8 trips (4 where these are long), more where few warps
// run (2 million instructions for all runs), and is a multiple of 8 (4) trips, so that accesses that walk
// through 128-byte lines in steps of 16 (32) bytes or more repeat.
#pragma once

#include <cstdint>
#include <vector>

#include "model/sim/stream.h"

namespace gpumodel::sim {

using LoopTrips = std::vector<std::vector<std::vector<std::int64_t>>>;  // [body][stream][loop]

struct FastForward {
    std::int64_t trips = 0;         // T
    std::int64_t short_trips = 0;   // T1; 0 = run all trips
    std::int64_t rounds = 0;        // R
    std::int64_t short_rounds = 0;  // r; 0 = run all blocks
};
[[nodiscard]] FastForward plan_fast_forward(const DecodedProgram& decoded, std::int64_t blocks, int resident,
                                            bool exact);

struct PlannedRun {
    std::int64_t trips = 0;
    double weight = 1;
};
[[nodiscard]] std::vector<PlannedRun> planned_runs(const FastForward& plan);

struct BlockEnd {
    Cycle at = 0;
    double instructions = 0;  // issued by the SM so far
};
// Cycles of all rounds, from a run of `short_rounds` of them that ended at `end`.
[[nodiscard]] double cycles_of_all_rounds(const FastForward& plan, int resident, double end,
                                          const std::vector<BlockEnd>& block_ends);

// Trips of every loop when the longest runs `trips`: top-level loops of more than half its trips shrink in
// proportion, all others stay.
[[nodiscard]] LoopTrips shortened_trips(const DecodedProgram& decoded, const FastForward& plan,
                                        std::int64_t trips);

}  // namespace gpumodel::sim
