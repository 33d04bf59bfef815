#include "traces/trace/warp_runs.h"

#include <algorithm>

namespace gpumodel {

namespace {

constexpr std::size_t longest_run = 512;  // accesses kept back until their run is complete

}  // namespace

void WarpRuns::begin(int warp) {
    flush();
    warp_ = warp;
    const auto lanes = std::min<std::int64_t>(32, threads_ - std::int64_t{warp} * 32);
    active_ = lanes == 32 ? ~0U : (1U << lanes) - 1;
}

void WarpRuns::go_on(int instruction, std::uint32_t mask, bool memory) {
    const bool guarded = mask == 0 || (memory && (mask & ~active_) == 0);
    const auto active = guarded ? active_ : mask;
    if (begin_ == end_ || instruction != end_ || active != active_) {
        flush();
        begin_ = end_ = instruction;
        active_ = active;
    }
    ++end_;
}

void WarpRuns::access(const AccessEvent& event, std::uint32_t mask) {
    if (accesses_.size() == longest_run) {
        flush();
    }
    go_on(event.instruction, mask, true);
    accesses_.push_back(event);
}

void WarpRuns::flush() {
    if (begin_ != end_) {
        sink_.straight(warp_, begin_, end_, active_);
    }
    for (const auto& event : accesses_) {
        sink_.access(warp_, event);
    }
    accesses_.clear();
    begin_ = end_ = 0;
}

}  // namespace gpumodel
