// Warps that wait on barriers in shared memory for bulk copies of their block (block_copies.h).
#include <algorithm>

#include "model/sim/core/issue_core.h"

namespace gpumodel::sim {

// When registers, products and copies allow the warp's next instruction.
Cycle IssueCore::inputs_ready(Warp& warp) {
    const auto ready = warp.scoreboard.ready(warp.op(), warp.not_before, warp.reason);
    const auto come = copies_come(warp);
    if (come <= std::max(ready, warp.not_before)) {
        return ready;
    }
    warp.reason = StallReason::long_scoreboard;
    return come;
}

// How many of its block's copies the warp's next instruction waits for.
std::int64_t IssueCore::copies_needed(Warp& warp) {
    const auto& op = warp.op();
    return op.copies_first == 0 ? 0 : op.copies_first + op.copies_step * warp.waits_at(op.address);
}

Cycle IssueCore::copies_come(Warp& warp) {
    const auto& op = warp.op();
    if (op.copies_first == 0) {
        return 0;
    }
    const auto& copies = copies_[static_cast<std::size_t>(warp.name.slot)];
    const auto needed = copies_needed(warp);
    if (needed <= copies.issued()) {
        return copies.come(needed);
    }
    const auto first = static_cast<std::size_t>(warp.name.slot * warps_per_block_);
    for (auto w = first; w < first + static_cast<std::size_t>(warps_per_block_); ++w) {
        auto& other = warps_[w];
        const bool goes_on = &other != &warp && other.live && other.not_before < never;
        if (goes_on && other.pc <= other.stream->last_copy && copies_needed(other) <= copies.issued()) {
            return never;
        }
    }
    return copies.come(copies.issued());
}

// Of warps that wait for the block's copies, after something about these has changed.
void IssueCore::look_at_copies(int slot) {
    if (!counts_copies_) {
        return;
    }
    const auto first = static_cast<std::size_t>(slot * warps_per_block_);
    for (auto w = first; w < first + static_cast<std::size_t>(warps_per_block_); ++w) {
        auto& warp = warps_[w];
        if (warp.live && warp.waits_for_registers && warp.op().copies_first > 0) {
            look_at_inputs(warp);
        }
    }
}

// Of a warp that waited for something unknown until now.
void IssueCore::look_at_inputs(Warp& warp) {
    if (const auto ready = inputs_ready(warp); ready < never) {
        warp.waits_for_registers = false;
        scheduler_of(warp).set_ready(warp.place, std::max(ready, warp.not_before));
    }
}

}  // namespace gpumodel::sim
