#include "traces/emulate/run/taint.h"

#include "traces/emulate/translate/translator.h"

namespace gpumodel::emulate {

namespace {

using What = UnknownData::What;

bool is_uniform(int slot) {
    return slot >= first_uniform_slot && slot <= uniform_zero_slot;
}

std::uint32_t of_sources(const WarpTaint& taint, const MicroOp& op) {
    std::uint32_t lanes = 0;
    for (const auto slot : op.from) {
        lanes |= taint.slots[slot];
    }
    for (const auto use : op.predicate_from) {
        lanes |= taint.predicates[use.index];
    }
    return lanes;
}

}  // namespace

void TaintTracker::write(Warp& warp, const MicroOp& op, std::uint32_t mask, std::uint32_t result,
                         std::uint32_t guard) {
    auto& taint = *warp.taint;
    for (const int slot : op.to) {
        if (slot == discard_slot) {
            continue;
        }
        auto& lanes = taint.slots[static_cast<std::size_t>(slot)];
        if (is_uniform(slot)) {
            lanes = (result & mask) != 0 || guard != 0 ? all_lanes : mask != 0 ? 0 : lanes;
        } else {
            lanes = (lanes & ~mask) | (result & mask) | guard;
        }
    }
    for (const int predicate : op.predicate_to) {
        if (predicate != discard_predicate) {
            auto& lanes = taint.predicates[static_cast<std::size_t>(predicate)];
            lanes = (lanes & ~mask) | (result & mask) | guard;
        }
    }
}

void TaintTracker::run(Warp& warp, const MicroOp& op, std::uint32_t path, std::uint32_t mask) {
    auto& taint = *warp.taint;
    const auto guard = taint.predicates[op.guard.index] & (op.uniform ? all_lanes : path);
    taint.sources = of_sources(taint, op) | guard;
    taint.loaded = 0;
    if (op.reports) {
        if (guard != 0) {
            mark(op.instruction, What::predicate);
        }
        if ((taint.sources & ~guard & mask) != 0) {
            mark(op.instruction, What::address);
        }
    }
    if (mask != 0 || op.reports) {
        op.run(warp, op, mask);
    }
    auto result = (taint.sources & mask) | taint.loaded | (op.unknown ? mask : 0);
    if (op.crosses_lanes && result != 0) {
        result = all_lanes;
    }
    write(warp, op, mask, result, guard);
}

std::uint32_t TaintTracker::at_end(const Warp& warp, const Terminator& last, std::uint32_t path) {
    if (last.kind == Terminator::Kind::fall || last.kind == Terminator::Kind::jump_if_diverged ||
        last.kind == Terminator::Kind::warp_sync) {
        return 0;
    }
    const auto& taint = *warp.taint;
    return (taint.predicates[last.guard.index] | taint.predicates[last.condition.index] |
            taint.slots[last.slot] | taint.slots[last.count_slot]) &
           path;
}

}  // namespace gpumodel::emulate
