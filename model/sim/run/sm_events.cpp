// What a listener is told (events.h), and SimOptions::record_issues.
#include "model/sim/run/sm_run.h"

namespace gpumodel::sim {

std::int64_t SmRun::block_index(std::size_t planned) const {
    const auto& block = plan_.blocks[planned];
    return block.x + grid_.x * (block.y + grid_.y * block.z);
}

WarpName SmRun::name_of(const Warp& warp) const {
    const auto& slot = slots_[static_cast<std::size_t>(warp.block_slot)];
    return {block_index(slot.block), warp.block_slot, warp.in_block, warp.scheduler};
}

CodePlace SmRun::place_of(const DecodedOp& op) const {
    const auto& line = decoded_.code[static_cast<std::size_t>(op.code)];
    return {line.segment, line.index};
}

void SmRun::tell_issue(const Warp& warp, const DecodedOp& op, Cycle now) {
    const auto name = name_of(warp);
    const auto place = place_of(op);
    if (static_cast<std::int64_t>(out_.issues.size()) < setup_.record_issues) {
        out_.issues.push_back({now, name.block, name.warp, name.scheduler, place.segment, place.index});
    }
    if (listener_ != nullptr) {
        listener_->issued({now, name, place, op.op});
    }
}

void SmRun::tell_span(const Warp& warp, Cycle until, StallReason reason) const {
    const auto& op = warp.stream->ops[static_cast<std::size_t>(warp.pc)];
    listener_->spent({warp.accounted, until, name_of(warp), place_of(op), op.op, reason});
}

// A request may outlive its block: its generation, which counts the blocks started, tells which that was.
void SmRun::tell_wavefronts() {
    for (const auto& sent : sent_) {
        auto name = name_of(warps_[static_cast<std::size_t>(sent.warp)]);
        name.block = block_index(static_cast<std::size_t>(sent.generation - 1));
        listener_->wavefront({sent.start, sent.cycles, name, place_of(*sent.op), sent.op->op});
    }
    sent_.clear();
}

void SmRun::tell_request(const DataPipe::Served& served, Cycle ready) {
    const auto& request = served.request;
    auto name = name_of(warps_[static_cast<std::size_t>(request.warp)]);
    name.block = block_index(static_cast<std::size_t>(request.generation - 1));
    listener_->memory_request({request.available, served.last_start, ready, served.total_slots, name,
                               place_of(*request.op), request.op->op});
}

}  // namespace gpumodel::sim
