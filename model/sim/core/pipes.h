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

// The SM's unit for loads from constant memory by instructions of their own (LDC): one address at a time, for
// all schedulers. H200 (validate/data/h200_sxm_constants.csv): 2.03 cycles each, for 4 to 32 warps and 1 to
// 32 addresses that the lanes of a warp name, words or bytes of one word; `estimated` for other generations.
// Ignored: tables beyond the cache of 2 KiB (16 lines and more take up to 200 cycles each).
class ConstantUnit {
public:
    // How long the op waits for those before it.
    [[nodiscard]] Cycle take(const DecodedOp& op, Cycle now) {
        constexpr double cycles_of_address = 2.03;
        const double start = std::max(static_cast<double>(now), free_);
        free_ = start + cycles_of_address * op.constant_addresses;
        return static_cast<Cycle>(start) - now;
    }

private:
    double free_ = 0;
};

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
        if (op.kind == OpKind::group_product) {
            retry = products_[static_cast<std::size_t>(scheduler)].opens_at();
            if (retry > now) {
                return -1;
            }
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
    // A product of a warp group, which the pipe works on after what it has and not before `not_before`; both,
    // and its end, in pipe_ticks.
    std::int64_t queue_product(const DecodedOp& op, int scheduler, std::int64_t not_before) {
        auto& free = slow_free_[static_cast<std::size_t>(scheduler)][op.pipe];
        const auto start = std::max<std::int64_t>(free, not_before);
        free = start + op.product_ticks;
        products_[static_cast<std::size_t>(scheduler)].add(start / pipe_ticks, machine_.products.queued);
        return free;
    }

private:
    // When the last so many products begin: one more is taken when the first of them has.
    class ProductQueue {
    public:
        void add(Cycle start, int places) {
            begins_[next_] = start;
            next_ = (next_ + 1) % static_cast<std::size_t>(places);
        }
        [[nodiscard]] Cycle opens_at() const { return begins_[next_]; }

    private:
        std::array<Cycle, max_queued_products> begins_{};
        std::size_t next_ = 0;
    };

    const Machine& machine_;
    std::array<std::array<Cycle, max_schedulers + max_shared_units>, pipe_count> free_{};
    std::array<std::array<Cycle, pipe_count>, max_schedulers> slow_free_{};  // in pipe_ticks
    std::array<ProductQueue, max_schedulers> products_{};
};

}  // namespace gpumodel::sim
