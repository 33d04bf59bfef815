// One scheduler: when each of its warps can be looked at again, which of them wait for room in its memory
// queue, and who goes first (scheduler_policy.h). Warps go by their place at the scheduler.
//
// Contract: `wake` is the next cycle with anything to look at. A full queue sends warps to the waiting list;
// once it has room, from `queue_opens` on, one of the block that has been resident longest gets it, among its
// warps the one that has waited longest (H200 microbenchmarks, block_order: where loads saturate the shared
// memory, blocks of 16 warps end one after the other in the order of their start, a block's warps together).
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>

#include "model/sim/core/operand_ports.h"
#include "model/sim/core/scheduler_policy.h"

namespace gpumodel::sim {

struct Scheduler {
    Scheduler(SchedulerPolicy policy, const RegisterFile& file) : state(policy), ports(file) {
        ready_at.fill(never);
    }

    std::array<Cycle, max_warps_per_scheduler> ready_at{};
    std::array<std::int32_t, max_warps_per_scheduler> warp{};  // by place
    int places = 0;
    Cycle wake = never;
    int queued = 0;             // memory instructions in the queue
    std::uint64_t waiting = 0;  // places whose warps need room there
    Cycle queue_opens = 0;
    std::array<Cycle, max_warps_per_scheduler> waiting_since{};
    SchedulerState state;
    OperandPorts ports;

    void set_ready(int place, Cycle at) {
        ready_at[static_cast<std::size_t>(place)] = at;
        wake = std::min(wake, at);
    }
    // Places that can be looked at now, as bits; `wake` becomes the next cycle for the others.
    [[nodiscard]] std::uint64_t ready(Cycle now, int queue_depth) {
        std::uint64_t ready = 0;
        Cycle next = never;
        for (int p = 0; p < places; ++p) {
            const auto at = ready_at[static_cast<std::size_t>(p)];
            if (at <= now) {
                ready |= std::uint64_t{1} << static_cast<unsigned>(p);
            } else {
                next = std::min(next, at);
            }
        }
        wake = next;
        if (waiting != 0 && queued < queue_depth) {
            if (queue_opens <= now) {
                ready |= first_waiting();
            } else {
                wake = std::min(wake, queue_opens);
            }
        }
        return ready;
    }
    void wait_for_queue(int place, Cycle now) {
        const auto bit = std::uint64_t{1} << static_cast<unsigned>(place);
        if ((waiting & bit) == 0) {
            waiting |= bit;
            waiting_since[static_cast<std::size_t>(place)] = now;
        }
    }
    // An instruction left the queue; its place can be taken from `at` on.
    void leave_queue(Cycle at) {
        --queued;
        queue_opens = at;
        if (waiting != 0) {
            wake = std::min(wake, at);
        }
    }

private:
    [[nodiscard]] bool goes_before(int a, int b) const {
        const auto age_a = state.age(a);
        const auto age_b = state.age(b);
        return age_a != age_b
                   ? age_a < age_b
                   : waiting_since[static_cast<std::size_t>(a)] < waiting_since[static_cast<std::size_t>(b)];
    }
    [[nodiscard]] std::uint64_t first_waiting() const {
        int first = std::countr_zero(waiting);
        for (auto rest = waiting & (waiting - 1); rest != 0; rest &= rest - 1) {
            const int place = std::countr_zero(rest);
            first = goes_before(place, first) ? place : first;
        }
        return std::uint64_t{1} << static_cast<unsigned>(first);
    }
};

}  // namespace gpumodel::sim
