#include "model/sim/core/scoreboard.h"

namespace gpumodel::sim {

void Scoreboard::hold_sources(const DecodedOp& op, Cycle until) {
    const auto reason = is_global(op.kind) ? StallReason::long_scoreboard : StallReason::short_scoreboard;
    for (std::size_t i = 0; i < op.source_count; ++i) {
        auto& source = registers_[op.sources[i]];
        if (source.write < until) {
            source.write = until;
            source.reason = reason;
        }
    }
}

void Scoreboard::send(const DecodedOp& op) {
    if (loads_registers(op.kind)) {
        const auto reason =
            op.kind == OpKind::global_load ? StallReason::long_scoreboard : StallReason::short_scoreboard;
        for (std::size_t r = 0; r < op.result_count; ++r) {
            registers_[op.results[r]] = {never, never, reason};
        }
    }
    if (op.kind == OpKind::async_copy) {
        if (op.starts_batch) {
            start_batch();
        }
        ++copies_of(batch_).under_way;
    }
}

Cycle Scoreboard::copies_done(std::int64_t last) const {
    Cycle done = older_.done;
    bool open = older_.under_way > 0;
    for (auto batch = std::max<std::int64_t>(0, batch_ - told_apart + 1); batch <= last; ++batch) {
        const auto& copies = batches_[static_cast<std::size_t>(batch % told_apart)];
        open = open || copies.under_way > 0;
        done = std::max(done, copies.done);
    }
    return open ? never : done;
}

void Scoreboard::start_batch() {
    ++batch_;
    auto& batch = batches_[static_cast<std::size_t>(batch_ % told_apart)];
    older_.under_way += batch.under_way;
    older_.done = std::max(older_.done, batch.done);
    batch = {};
    batch_is_new_ = true;
}

void Scoreboard::deliver(const DecodedOp& op, std::int64_t batch, Cycle at) {
    if (op.kind == OpKind::async_copy) {
        auto& copies = copies_of(batch);
        --copies.under_way;
        copies.done = std::max(copies.done, at);
        return;
    }
    for (std::size_t r = 0; r < op.result_count; ++r) {
        registers_[op.results[r]].read = registers_[op.results[r]].write = at;
    }
}

}  // namespace gpumodel::sim
