// What extrapolation sees of a run: snapshots, and the windows between them; and what it leaves out.
#pragma once

#include <cstdint>
#include <vector>

#include "model/sim/extrapolate/stream_profile.h"
#include "model/sim/simulate.h"

namespace gpumodel::sim {

// Where one of the SM's warps stands.
struct WarpStanding {
    std::int64_t order = -1;  // of its block, in the order of start; -1 = no warp
    std::int32_t body = 0, stream = 0;
    std::int32_t op = 0;         // next, of the stream
    std::int64_t trip = 0;       // of the top-level loop, if it is in one
    std::int64_t trips_cut = 0;  // of that loop, left out already
};

// The run between two cycles, without what was left out before.
struct Snapshot {
    Cycle now = 0;
    SimCounters counters;
    const std::vector<StallCycles>& stalls;  // by code line
    std::vector<WarpStanding> warps;         // by number

    // In instructions: the data pipe's wavefronts take time as well.
    [[nodiscard]] double work() const;
};

// A warp inside a top-level loop.
struct WarpProgress {
    std::int64_t order = -1;
    const TopLoop* loop = nullptr;
    double trips = 0;        // with the fraction by position in the loop
    std::int64_t total = 0;  // iterations of the loop less those left out

    [[nodiscard]] bool live() const { return order >= 0; }
    // The same warp in the same loop, or it has ended.
    [[nodiscard]] bool follows(const WarpProgress& earlier) const {
        return !live() || (order == earlier.order && loop == earlier.loop);
    }
};

struct WindowEnd {
    double at = 0;
    SimCounters counters;
    double error_cycles = 0;
    std::vector<StallCycles> stalls;
    std::vector<WarpProgress> warps;  // empty for rounds
};

// Keeps at most policy::most_windows windows: beyond, every other end but the newest is dropped and true
// returned.
bool add_window(std::vector<WindowEnd>& ends, WindowEnd end);

[[nodiscard]] double cpi_of(const WindowEnd& from, const WindowEnd& to);  // cycles per instruction
[[nodiscard]] std::vector<double> cpis_of(const std::vector<WindowEnd>& ends);

// sum += scale * (later - earlier)
void add_scaled(SimCounters& sum, const SimCounters& later, const SimCounters& earlier, double scale);
// ... rounded; an empty `earlier` is all 0.
void add_scaled(std::vector<StallCycles>& sum, const std::vector<StallCycles>& later,
                const std::vector<StallCycles>& earlier, double scale);

// What has been left out of a run so far; added to what was simulated it gives the whole.
struct LeftOut {
    Cycle cycles = 0;
    SimCounters counters;
    std::vector<StallCycles> stalls;  // by code line; empty = nothing
    double error_cycles = 0;          // of `cycles`
    double warp_trips = 0;            // of top-level loops, by all warps
    std::int64_t blocks = 0;
    double may_be_owed = 0;  // cycles of DRAM that L2 may put off to behind the launch

    // `cycles` with `instructions`, the rest in the proportions of what was between two window ends; `error`
    // is the relative one of the cycles. At least as many cycles as DRAM is busy for with what is stored in
    // it: stores are steady for long before L2 owes it so much that they wait. Returns the cycles added.
    Cycle add(double more_cycles, double instructions, double error, const WindowEnd& from,
              const WindowEnd& to);
};

}  // namespace gpumodel::sim
