// Extrapolation over the iterations of top-level loops: skips some of the resident warps' once windows of
// them are alike.
//
// - While every resident warp is inside a top-level loop, windows of a few iterations are compared. Once they
//   agree (steady.h), each block's loop is shortened by as many
//   iterations as it would make in k windows. Loop counters and addresses go on without a gap, and so do the
//   caches; blocks keep the phases and rates they have.
// - A warp's end does not unsettle the rest.
//
// Contract: the run tells of warps and iterations as they come. After every cycle, if asks(), it hands over a
// snapshot and cuts each warp's trip count by the answer. What was skipped is in LeftOut. Nothing else of the
// run is seen.
#pragma once

#include <deque>
#include <utility>

#include "model/sim/extrapolate/steady.h"

namespace gpumodel::sim {

struct TripSkip {
    std::vector<std::int64_t> trips;  // by warp; empty = nothing is skipped
    Cycle cycles = 0;                 // that they would have taken
};

class TripExtrapolator {
public:
    // Both references have to outlive it. `warps_per_block` stand side by side in snapshots.
    TripExtrapolator(const StreamProfiles& profiles, int warps_per_block, LeftOut& left_out)
        : profiles_(profiles),
          warps_per_block_(static_cast<std::size_t>(warps_per_block)),
          left_out_(left_out) {}

    void warps_started(int warps) { live_warps_ += warps; }
    void warp_ended() {
        --live_warps_;
        warp_has_ended_ = true;
    }
    // A warp starts another iteration of a top-level loop. A window ends when the resident warps have made as
    // many on average (a single warp may starve for long).
    void trip_started(std::int32_t body, std::int32_t stream, std::int32_t loop) {
        if (--countdown_ <= 0) {
            end_window(body, stream, loop);
        }
    }

    // A window is over, or a warp has ended and the others may run on as before.
    [[nodiscard]] bool asks() {
        return window_is_over_ || (std::exchange(warp_has_ended_, false) && resumes_ != nullptr);
    }
    [[nodiscard]] TripSkip answer(const Snapshot& now) {
        return window_is_over_ ? after_window(now) : after_end(now);
    }

private:
    [[nodiscard]] TripSkip after_window(const Snapshot& now);
    [[nodiscard]] TripSkip after_end(const Snapshot& now);
    void end_window(std::int32_t body, std::int32_t stream, std::int32_t loop);
    [[nodiscard]] std::vector<WarpProgress> progress(const std::vector<WarpStanding>& warps) const;
    [[nodiscard]] TripSkip judge(double work);
    [[nodiscard]] TripSkip skip(const std::vector<WarpProgress>& warps, double work);
    [[nodiscard]] KnownCpi& known_cpi(std::vector<LoopCrowd> crowds);
    [[nodiscard]] std::vector<double> trips_per_window(const std::vector<WarpProgress>& warps) const;

    const StreamProfiles& profiles_;
    const std::size_t warps_per_block_;
    LeftOut& left_out_;
    std::int64_t live_warps_ = 0;
    std::int64_t countdown_ = 0;  // iterations of all warps until the window ends
    std::int64_t window_scale_ = 1;
    bool window_is_over_ = false, warp_has_ended_ = false;
    std::vector<WindowEnd> windows_;
    std::int64_t stay_ = 0;              // counts the times that the resident loops changed
    std::deque<KnownCpi> known_;         // places stay
    const KnownCpi* resumes_ = nullptr;  // what the newest window agreed with
    Steady steady_;                      // and its result
    double windows_seen_ = 0;            // on which that rests
};

}  // namespace gpumodel::sim
