// A warp's stream as extrapolation sees it: its top-level loops and what an iteration of each costs.
#pragma once

#include <cstdint>
#include <vector>

#include "model/sim/core/stream.h"

namespace gpumodel::sim {

struct TopLoop {
    std::int32_t first_op = 0, last_op = 0;
    std::int64_t trips = 0;
    double instructions_per_trip = 0;
    bool has_barrier = false;
    std::int64_t window_trips = 0;  // iterations per window (policy.h)
};

struct StreamProfile {
    std::vector<std::int32_t> top_loop_of_op;  // index into loops; -1 = outside
    std::vector<TopLoop> loops;                // as stream.loops; inner ones are left empty
    double instructions = 0;
};
[[nodiscard]] StreamProfile profile_of(const WarpStream& stream, int resident_warps = 1);

// What a warp executes, and how often it waits for what it has loaded from device memory (warp_length.h).
struct StreamWork {
    double instructions = 0, waits = 0;
};
[[nodiscard]] StreamWork work_of(const WarpStream& stream);

using StreamProfiles = std::vector<std::vector<StreamProfile>>;  // [body][stream]
[[nodiscard]] StreamProfiles profiles_of(const DecodedProgram& decoded, int resident_warps);
// Of one block, by body.
[[nodiscard]] std::vector<double> block_instructions(const DecodedProgram& decoded,
                                                     const StreamProfiles& profiles);

// Iterations of the top-level loop with the most instructions.
[[nodiscard]] std::int64_t longest_loop_trips(const DecodedProgram& decoded);

}  // namespace gpumodel::sim
