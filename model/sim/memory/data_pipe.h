// The SM's one data pipe for shared and global memory: a queue per scheduler, one wavefront per cycle for the
// SM, one scheduler at most every sub_partition_interval cycles (H200 microbenchmarks).
//
// Among the heads of the queues that can send at the earliest time, the request that has started goes first,
// then the oldest; at most two requests are under way at once. What L1 is filled with passes through the same
// data stage, ahead of wavefronts.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <deque>
#include <vector>

#include "model/sim/core/machine.h"
#include "model/sim/memory/memory_servers.h"

namespace gpumodel::sim {

struct DecodedOp;

// Who sent a request; passed back with its result.
struct Requester {
    std::int32_t warp = 0;     // of the SM, by its place
    std::int32_t in_slot = 0;  // by its block's slot and its number in the block
    std::int32_t scheduler = 0;
    std::int64_t order = 0;  // of the warp's block, in the order of start
    std::int64_t copy_batch = 0;
    std::int64_t copy = 0;  // number of the bulk copy among its block's
};

struct PipeRequest {
    const DecodedOp* op = nullptr;
    Requester from;
    std::int32_t pattern = -1;  // global side
    std::int64_t address = 0;
    const DramShare* dram = nullptr;  // what L2 has of the access's data
    double available = 0;             // earliest start
    std::int32_t slots = 1;           // wavefronts
    double slot_cycles = 1;           // of all but the last
    double last_slot_cycles = 1;      // with the request's extra charge
    bool waits_for_store_buffer = false;
};

class DataPipe {
public:
    DataPipe(int schedulers, double interval) : schedulers_(schedulers), interval_(interval) {}

    void push(const PipeRequest& request) {
        auto& queue = queues_[static_cast<std::size_t>(request.from.scheduler)];
        queue.waiting.push_back({request, next_order_++});
        if (queue.waiting.size() == 1) {
            queue.show_head();
            dirty_ = true;
        }
    }
    struct Served {
        PipeRequest request;
        double last_start = 0;  // of its last wavefront
    };
    // Sends wavefronts that start at or before `limit` until a request is done; false when none is.
    bool advance(double limit, Served& served);
    // Start of the next wavefront; `never` if nothing waits.
    [[nodiscard]] double next_start() {
        if (dirty_) {
            choose();
        }
        return next_start_;
    }
    // Stores may not start before.
    void hold_stores_until(double when) {
        store_gate_ = when;
        dirty_ = true;
    }
    // Data that arrives from L2 at `when` takes the data stage before any later wavefront.
    void fill(double when, double cycles) {
        const auto later = std::find_if(fills_.rbegin(), fills_.rend(),
                                        [when](const Fill& fill) { return fill.when <= when; });
        fills_.insert(later.base(), {when, cycles});
        dirty_ = true;
    }
    double busy_cycles = 0;

    // Wavefronts as they are sent, for who asked for them.
    struct Sent {
        const DecodedOp* op = nullptr;
        Requester from;
        double start = 0, cycles = 0;
    };
    void log_to(std::vector<Sent>* log) { log_ = log; }

private:
    struct Waiting {
        PipeRequest request;
        std::int64_t order = 0;
        std::int32_t sent = 0;
    };
    struct Queue {
        std::deque<Waiting> waiting;
        double allowed = 0;
        // of the oldest that waits; earliest = never if there is none
        double earliest = static_cast<double>(never);
        std::int64_t order = 0;
        bool started = false;
        bool waits_for_store_buffer = false;

        void show_head();
    };
    struct Fill {
        double when = 0, cycles = 0;
    };
    void choose();
    void choose_request();
    [[nodiscard]] bool keeps_turn(double free) const {
        return under_way_ == 1 && queues_[static_cast<std::size_t>(next_)].allowed <= free &&
               (fills_.empty() || fills_.front().when > free);
    }

    int schedulers_;
    double interval_;
    double free_ = 0;
    double store_gate_ = 0;
    std::vector<Sent>* log_ = nullptr;
    std::deque<Fill> fills_;  // earliest first
    int under_way_ = 0;
    std::int64_t next_order_ = 0;
    std::array<Queue, max_schedulers> queues_;
    bool dirty_ = true;
    int next_ = -1;
    double next_start_ = static_cast<double>(never);
};

}  // namespace gpumodel::sim
