#include "traces/emulate/run/repetition.h"

#include <algorithm>
#include <bit>

namespace gpumodel::emulate {

namespace {

constexpr unsigned first_steps = 1 << 12;  // before, a comparison costs more than it saves
constexpr int most_trials = 1 << 10;

bool same(const Path& a, const Path& b) {
    return a.block == b.block && a.mask == b.mask && a.wait == b.wait && a.wait_for == b.wait_for &&
           a.stack == b.stack;
}

bool same_lanes(const Lanes& a, const Lanes& b) {
    return a.at == b.at;
}

}  // namespace

bool Repetition::found(const Warp& warp, int steps) {
    const auto count = static_cast<unsigned>(steps);
    if (count < first_steps || warp.paths.empty()) {
        kept_ = kept_ && count >= first_steps;
        return false;
    }
    if (std::has_single_bit(count)) {
        keep(warp);
        return false;
    }
    if (!kept_ || warp.paths[warp.current].block != block_ || trials_ == most_trials) {
        return false;
    }
    ++trials_;
    return equals(warp);
}

void Repetition::keep(const Warp& warp) {
    kept_ = true;
    trials_ = 0;
    block_ = warp.paths[warp.current].block;
    memory_changes_ = warp.block->memory_changes();
    slots_.assign(warp.slots.begin(), warp.slots.begin() + first_constant_slot);
    predicates_ = warp.predicates;
    paths_ = warp.paths;
}

// Temporaries are part of it too, needlessly but soundly.
bool Repetition::equals(const Warp& warp) const {
    return memory_changes_ == warp.block->memory_changes() && predicates_ == warp.predicates &&
           std::equal(paths_.begin(), paths_.end(), warp.paths.begin(), warp.paths.end(), same) &&
           std::equal(slots_.begin(), slots_.end(), warp.slots.begin(), same_lanes);
}

}  // namespace gpumodel::emulate
