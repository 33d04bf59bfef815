// What one SM's run did: every cycle of every warp under its stall reason, and what issued. The listener that
// is always there; it names things for the one that the caller gave, if any (events.h), and tells it.
//
// Contract: spent() is called for stretches that tile each warp's life, so that the stall cycles add up to
// what lived() is told (accounted_warp_cycles() and resident_warp_cycles() are equal in the end).
#pragma once

#include <vector>

#include "model/sim/core/stream.h"
#include "model/sim/simulate.h"

namespace gpumodel::sim {

class RunAccount {
public:
    // `code` has to outlive it.
    RunAccount(const std::vector<CodePlace>& code, SimListener* listener)
        : code_(code), listener_(listener), stalls_(code.size()) {}

    // Cycles [from, until) on the way to `op`, or issuing it.
    void spent(const WarpName& warp, const DecodedOp& op, Cycle from, Cycle until, StallReason reason) {
        stalls_[static_cast<std::size_t>(op.code)][static_cast<std::size_t>(reason)] += until - from;
        if (listener_ != nullptr) [[unlikely]] {
            listener_->spent({from, until, warp, place_of(op), op.op, reason});
        }
    }
    void issued(const WarpName& warp, const DecodedOp& op, Cycle now) {
        counters_.instructions += 1;
        counters_.issued_by_class[static_cast<std::size_t>(op.op)] += 1;
        counters_.product_cycles += op.product_ticks / static_cast<double>(pipe_ticks);
        if (listener_ != nullptr) [[unlikely]] {
            listener_->issued({now, warp, place_of(op), op.op});
        }
    }
    void lived(Cycle cycles) { resident_ += static_cast<double>(cycles); }

    [[nodiscard]] SimListener* listener() const { return listener_; }
    [[nodiscard]] CodePlace place_of(const DecodedOp& op) const {
        return code_[static_cast<std::size_t>(op.code)];
    }
    // Instructions, all and by class.
    [[nodiscard]] const SimCounters& counters() const { return counters_; }
    [[nodiscard]] const std::vector<StallCycles>& stalls() const { return stalls_; }  // by code line
    [[nodiscard]] double accounted_warp_cycles() const;
    [[nodiscard]] double resident_warp_cycles() const { return resident_; }

private:
    const std::vector<CodePlace>& code_;
    SimListener* const listener_;
    SimCounters counters_;
    std::vector<StallCycles> stalls_;
    double resident_ = 0;
};

}  // namespace gpumodel::sim
