#include "model/sim/blocks/block_dealer.h"

#include <algorithm>
#include <cmath>

namespace gpumodel::sim {

BlockDealer::BlockDealer(const BlockPlan& plan, const Machine& machine, int warps_per_block,
                         SimListener* listener, DealerNeighbours& neighbours)
    : plan_(plan),
      machine_(machine),
      warps_per_block_(warps_per_block),
      listener_(listener),
      neighbours_(neighbours),
      queue_(plan),
      slots_(std::min(static_cast<std::size_t>(plan.resident), plan.even_blocks)) {}

void BlockDealer::start() {
    for (int slot = 0; slot < slots(); ++slot) {
        const auto at = queue_.earliest_start();
        start_block(slot, queue_.deal(), at);
    }
}

void BlockDealer::start_block(int slot, std::size_t number, Cycle start) {
    const auto& block = plan_.blocks[number];
    at(slot) = {block.index, warps_per_block_, warps_per_block_, 0, 0, true};
    if (listener_ != nullptr) {
        listener_->block_started(start, slot, block.index, warps_per_block_);
    }
    neighbours_.start_block(slot, {start, block.index, static_cast<std::int64_t>(number), block.body}, block);
}

void BlockDealer::warp_exited(int slot, Cycle now) {
    if (--at(slot).live_warps > 0) {
        release_if_complete(slot, now);
    }
}

void BlockDealer::warp_ended(int slot, Cycle now) {
    if (--at(slot).held_warps == 0) {
        end_block(slot, now + 1);
    }
}

void BlockDealer::end_block(int slot, Cycle end) {
    at(slot).running = false;
    end_ = std::max(end_, end);
    if (listener_ != nullptr) {
        listener_->block_ended(end, slot, at(slot).block);
    }
    queue_.skip(neighbours_.block_ended(end, queue_.waiting()));
    if (queue_.has_block(end, neighbours_.idle(end))) {
        const auto start = std::max(end + plan_.turnover, queue_.earliest_start());
        start_block(slot, queue_.take(end), start);
    }
}

void BlockDealer::arrive(int slot, Cycle now) {
    auto& where = at(slot);
    ++where.arrived;
    where.last_arrival = std::max(static_cast<double>(now), arrivals_free_);
    arrivals_free_ = where.last_arrival + machine_.arrival_cycles;
    release_if_complete(slot, now);
}

void BlockDealer::release_if_complete(int slot, Cycle now) {
    auto& where = at(slot);
    if (where.arrived == 0 || where.arrived < where.live_warps) {
        return;
    }
    where.arrived = 0;
    constexpr double rounding = 1e-6;
    const auto complete = std::max(now, static_cast<Cycle>(std::ceil(where.last_arrival - rounding)));
    if (listener_ != nullptr) {
        listener_->barrier_released(complete, slot, where.block);
    }
    neighbours_.release(slot, complete, complete + machine_.barrier_latency);
}

bool BlockDealer::any_runs() const {
    return std::any_of(slots_.begin(), slots_.end(), [](const Slot& s) { return s.running; });
}

}  // namespace gpumodel::sim
