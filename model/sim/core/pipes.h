// The units of the SM's arithmetic pipes (machine.h): which of them an instruction can go to, and when.
//
// Contract: the scheduler's own unit first, then the one that it shares with its neighbours. A unit takes an
// instruction every `interval` cycles of its pipe; one of a slow class also keeps others of slow classes out
// of its scheduler's part of the pipe for `slow_interval`.
#pragma once

#include <algorithm>
#include <array>

#include "model/sim/core/stream.h"

namespace gpumodel::sim {

class Pipes {
public:
    explicit Pipes(const Machine& machine) : machine_(machine) {}

    // -1 = none is free at `now`; `retry` then says when one may be.
    [[nodiscard]] int free_unit(const DecodedOp& op, int scheduler, Cycle now, Cycle& retry) const {
        const auto slow_free = slow_free_[static_cast<std::size_t>(scheduler)][op.pipe];
        if (op.slow_interval > 0 && slow_free > now * pipe_ticks) {
            retry = (slow_free + pipe_ticks - 1) / pipe_ticks;
            return -1;
        }
        const auto& units = free_[op.pipe];
        const int shared = machine_.pipes[op.pipe].shared;
        retry = units[static_cast<std::size_t>(scheduler)];
        if (retry <= now) {
            return scheduler;
        }
        if (shared > 0) {
            const int unit = machine_.schedulers + scheduler * shared / machine_.schedulers;
            const auto at = units[static_cast<std::size_t>(unit)];
            if (at <= now) {
                return unit;
            }
            retry = std::min(retry, at);
        }
        return -1;
    }
    void occupy(const DecodedOp& op, int unit, int scheduler, Cycle now) {
        free_[op.pipe][static_cast<std::size_t>(unit)] = now + machine_.pipes[op.pipe].interval;
        if (op.slow_interval > 0) {
            // what is left of a cycle counts on where the next one follows at once
            auto& free = slow_free_[static_cast<std::size_t>(scheduler)][op.pipe];
            free = (free > (now - 1) * pipe_ticks ? free : now * pipe_ticks) + op.slow_interval;
        }
    }

private:
    const Machine& machine_;
    std::array<std::array<Cycle, max_schedulers + max_shared_units>, pipe_count> free_{};
    std::array<std::array<Cycle, pipe_count>, max_schedulers> slow_free_{};  // in pipe_ticks
};

}  // namespace gpumodel::sim
