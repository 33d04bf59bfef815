// The global accesses of one warp in program order, with the loop counters at each, and nothing in between.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "model/sim/core/stream.h"

namespace gpumodel::sim {

// One stream reduced to its accesses and loop ends.
class WalkPlan {
public:
    // `trips_kept`: part of the trips of loops at the top that is walked, at least one iteration.
    WalkPlan(const WarpStream& stream, double trips_kept);
    // Accesses of one walk.
    [[nodiscard]] double accesses() const;

private:
    friend class WarpWalk;
    struct Stop {
        std::int32_t access = -1;  // -1 = only the end of a loop
        std::int32_t loop = -1;    // innermost loop that ends here
        std::int32_t place = 0;    // grows from one top-level loop, or stretch between two, to the next
        bool in_loop = false;
    };
    struct LoopEnd {
        std::size_t first_stop = 0;
        std::int32_t outer = -1;
        std::size_t depth = 0;
        std::int64_t trips = 0;
    };
    void add_stops(const WarpStream& stream);

    std::vector<Stop> stops_;
    std::vector<LoopEnd> loops_;
};

class WarpWalk {
public:
    explicit WarpWalk(const WalkPlan& plan) : plan_(&plan) { next(); }
    [[nodiscard]] bool done() const { return at_ >= plan_->stops_.size(); }
    void next();  // to the next access

    [[nodiscard]] int access() const { return plan_->stops_[at_].access; }
    [[nodiscard]] const std::array<std::int64_t, max_loop_depth>& counters() const { return counters_; }
    // Never falls along a walk; equal within one iteration of a top-level loop.
    [[nodiscard]] std::int64_t step() const {
        constexpr unsigned trip_bits = 40;
        const auto& stop = plan_->stops_[at_];
        return (static_cast<std::int64_t>(stop.place) << trip_bits) + (stop.in_loop ? counters_[0] : 0);
    }

private:
    void leave();

    const WalkPlan* plan_;
    std::size_t at_ = 0;
    bool standing_ = false;  // on an access that has been handed out
    std::array<std::int64_t, max_loop_depth> counters_{};
};

}  // namespace gpumodel::sim
