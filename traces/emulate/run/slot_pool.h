// Registers of warps that have ended, for those of the next block: 67 KB each, which the system would else
// give, clear and take back for every warp of a grid.
#pragma once

#include <algorithm>
#include <utility>
#include <vector>

#include "traces/emulate/operations/lane_operations.h"
#include "traces/emulate/prepare/program.h"

namespace gpumodel::emulate {

class SlotPool {
public:
    // The program has to outlive it.
    explicit SlotPool(const Program& program) : program_(program) {}

    // All registers zero, constants in place.
    [[nodiscard]] std::vector<Lanes> take() {
        if (free_.empty()) {
            std::vector<Lanes> slots(program_.slot_count);
            for (std::size_t i = 0; i < program_.constants.size(); ++i) {
                fill(slots[static_cast<std::size_t>(first_constant_slot) + i], program_.constants[i]);
            }
            return slots;
        }
        auto slots = std::move(free_.back());
        free_.pop_back();
        std::fill_n(slots.begin(), first_constant_slot, Lanes{});  // nothing writes to constants
        return slots;
    }
    void give(std::vector<Lanes> slots) { free_.push_back(std::move(slots)); }

private:
    const Program& program_;
    std::vector<std::vector<Lanes>> free_;
};

}  // namespace gpumodel::emulate
