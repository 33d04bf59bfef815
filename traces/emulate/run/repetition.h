// Finds loops that never end: a warp that comes to a state it was in before goes through it for ever, unless
// another warp changes the block's memory.
//
// The state is compared with one kept from earlier in the same turn, renewed at 2^n steps (R. P. Brent, "An
// improved Monte Carlo factorization algorithm", BIT 20, 1980), so that also long cycles are found; loops
// that count something, or store, are not such cycles and end at the limit of instructions.
#pragma once

#include <cstdint>
#include <vector>

#include "traces/emulate/run/block_state.h"

namespace gpumodel::emulate {

class Repetition {
public:
    // After `steps` code blocks of one warp in one turn; true if it is where it was.
    [[nodiscard]] bool found(const Warp& warp, int steps);

private:
    void keep(const Warp& warp);
    [[nodiscard]] bool equals(const Warp& warp) const;

    bool kept_ = false;
    int trials_ = 0;  // comparisons since the state was kept
    int block_ = 0;
    std::uint64_t memory_changes_ = 0;
    std::vector<Lanes> slots_;
    std::array<std::uint32_t, predicate_count> predicates_{};
    std::vector<Path> paths_;
};

}  // namespace gpumodel::emulate
