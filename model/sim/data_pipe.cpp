#include "model/sim/data_pipe.h"

#include <algorithm>
#include <tuple>

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

void DataPipe::choose_request() {
    next_ = -1;
    next_start_ = static_cast<double>(never);
    std::tuple<double, int, std::int64_t> best{};
    for (int s = 0; s < schedulers_; ++s) {
        const auto& queue = queues_[static_cast<std::size_t>(s)];
        if (queue.waiting.empty()) {
            continue;
        }
        const auto& head = queue.waiting.front();
        if (head.sent == 0 && under_way_ >= most_under_way) {
            continue;
        }
        double start = std::max({free_, queue.allowed, head.request.available});
        if (head.request.waits_for_store_buffer && head.sent == 0) {
            start = std::max(start, store_gate_);
        }
        const std::tuple candidate{start, head.sent > 0 ? 0 : 1, head.order};
        if (next_ < 0 || candidate < best) {
            best = candidate;
            next_ = s;
            next_start_ = start;
        }
    }
}

bool DataPipe::advance(double limit, Served& served) {
    while (next_start() <= limit) {
        auto& queue = queues_[static_cast<std::size_t>(next_)];
        auto& head = queue.waiting.front();
        const double start = next_start_;
        const bool last = ++head.sent == head.request.slots;
        const double cycles = last ? head.request.last_slot_cycles : head.request.slot_cycles;
        under_way_ += head.sent == 1 ? 1 : 0;
        free_ = start + cycles;
        queue.allowed = start + std::max(interval_, cycles);
        busy_cycles += cycles;
        if (log_ != nullptr) [[unlikely]] {
            log_->push_back({head.request.op, head.request.warp, head.request.generation, start, cycles});
        }
        dirty_ = true;
        if (last) {
            --under_way_;
            served = {head.request, next_, head.sent, start};
            queue.waiting.pop_front();
            return true;
        }
    }
    return false;
}

}  // namespace gpumodel::sim
