#include "model/sim/memory/data_pipe.h"

#include <algorithm>

namespace gpumodel::sim {
namespace {

constexpr int most_under_way = 2;

}  // namespace

void DataPipe::choose() {
    dirty_ = false;
    choose_request();
    while (next_ >= 0 && !fills_.empty() && fills_.front().when <= next_start_) {
        free_ = std::max(free_, fills_.front().when) + fills_.front().cycles;
        busy_cycles += fills_.front().cycles;
        fills_.pop_front();
        choose_request();
    }
}

void DataPipe::Queue::show_head() {
    started = false;
    earliest = static_cast<double>(never);
    if (!waiting.empty()) {
        earliest = waiting.front().request.available;
        order = waiting.front().order;
        waits_for_store_buffer = waiting.front().request.waits_for_store_buffer;
    }
}

void DataPipe::choose_request() {
    next_ = -1;
    next_start_ = static_cast<double>(never);
    for (int s = 0; s < schedulers_; ++s) {
        const auto& queue = queues_[static_cast<std::size_t>(s)];
        if (!queue.started && under_way_ >= most_under_way) {
            continue;
        }
        double start = std::max({free_, queue.allowed, queue.earliest});
        if (queue.waits_for_store_buffer && !queue.started) {
            start = std::max(start, store_gate_);
        }
        if (queue.earliest >= static_cast<double>(never) || start > next_start_) {
            continue;
        }
        if (next_ >= 0 && start == next_start_) {
            const auto& best = queues_[static_cast<std::size_t>(next_)];
            if (queue.started == best.started ? queue.order > best.order : best.started) {
                continue;
            }
        }
        next_ = s;
        next_start_ = start;
    }
}

bool DataPipe::advance(double limit, Served& served) {
    while (next_start() <= limit && next_ >= 0) {
        auto& queue = queues_[static_cast<std::size_t>(next_)];
        auto& head = queue.waiting.front();
        const double start = next_start_;
        const bool last = ++head.sent == head.request.slots;
        const double cycles = last ? head.request.last_slot_cycles : head.request.slot_cycles;
        under_way_ += head.sent == 1 ? 1 : 0;
        free_ = start + cycles;
        queue.allowed = start + std::max(interval_, cycles);
        queue.started = true;
        busy_cycles += cycles;
        if (log_ != nullptr) [[unlikely]] {
            log_->push_back({head.request.op, head.request.from, start, cycles});
        }
        if (last) {
            --under_way_;
            served = {head.request, start};
            queue.waiting.pop_front();
            queue.show_head();
            dirty_ = true;
            return true;
        }
        if (keeps_turn(free_)) {
            next_start_ = free_;  // nothing else starts earlier, and what has started goes first
        } else {
            dirty_ = true;
        }
    }
    return false;
}

}  // namespace gpumodel::sim
