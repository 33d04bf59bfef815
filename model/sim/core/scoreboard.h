// When one warp's registers may be read and overwritten, and what has come of its asynchronous copies.
//
// Contract
// - Registers go by the stream's scoreboard numbers (decode_op.h).
//   An instruction's registers are ready at the first cycle at which each source may be read and each result
//   overwritten.
// - Results of a memory instruction are never ready until deliver() says when.
// - Copies go in batches, a new one with every `starts_batch` and behind every `ends_batch`. An instruction
//   that waits for copies needs all batches, but the newest only where that started before the last wait; one
//   with `batches_left` needs all that have ended but so many of the newest.
#pragma once

#include <algorithm>
#include <array>
#include <vector>

#include "model/sim/core/stream.h"
#include "model/sim/stall_reason.h"

namespace gpumodel::sim {

class Scoreboard {
public:
    // All registers ready, no copies.
    void reset(int registers) {
        registers_.assign(static_cast<std::size_t>(registers), {});
        batches_ = {};
        older_ = {};
        products_ = {};
        batch_is_new_ = false;
    }

    // `reason` changes to what the instruction waits for beyond `not_before`, if it does.
    [[nodiscard]] Cycle ready(const DecodedOp& op, Cycle not_before, StallReason& reason) const {
        Cycle ready = 0;
        std::uint16_t last = 0;
        for (std::size_t i = 0; i < op.source_count; ++i) {
            const auto at = registers_[op.sources[i]].read;
            if (at > ready) {
                ready = at;
                last = op.sources[i];
            }
        }
        for (std::size_t i = 0; i < op.result_count; ++i) {
            const auto at = registers_[op.results[i]].write;
            if (at > ready) {
                ready = at;
                last = op.results[i];
            }
        }
        if (ready > not_before) {
            reason = registers_[last].reason;
        }
        if (op.waits_for_copies) {
            reason = StallReason::long_scoreboard;
            ready = std::max(ready, copies_done(batch_is_new_ ? batch_ - 1 : batch_));
        }
        if (op.batches_left >= 0) {
            const auto done = copies_done(batch_ - 1 - op.batches_left);
            reason = done > std::max(ready, not_before) ? StallReason::long_scoreboard : reason;
            ready = std::max(ready, done);
        }
        if (op.kind == OpKind::group_wait) {
            const auto done = products_.done(op.group.groups_left);
            reason = done > std::max(ready, not_before) ? StallReason::math_pipe_throttle : reason;
            ready = std::max(ready, done);
        }
        return ready;
    }

    // An arithmetic instruction issued: its results are ready `latency` later.
    void issue(const DecodedOp& op, Cycle now) {
        const auto reason =
            group_of(op.op) == OpGroup::special ? StallReason::short_scoreboard : StallReason::wait;
        for (std::size_t r = 0; r < op.result_count; ++r) {
            registers_[op.results[r]] = {now + op.latency, now + op.latency, reason};
        }
    }
    // When the warp group's next product may begin, after its last one; in pipe_ticks.
    [[nodiscard]] std::int64_t products_end() const { return products_.end; }
    // A product was queued that ends at `end` (pipe_ticks), and that a wait finds ended at `done`.
    void add_product(const DecodedOp& op, std::int64_t end, Cycle done) {
        products_.end = end;
        if (op.group.ends_group) {
            products_.groups[products_.closed++ % products_.groups.size()] = done;
        }
    }
    void wait_for_copies() { batch_is_new_ = false; }
    void end_batch() { start_batch(); }

    // The instruction still reads its sources: they may not be overwritten before `until`.
    void hold_sources(const DecodedOp& op, Cycle until);
    // The batch that send() will count an asynchronous copy in.
    [[nodiscard]] std::int64_t batch_of(const DecodedOp& op) const {
        return batch_ + (op.starts_batch ? 1 : 0);
    }
    // A memory instruction is on its way.
    void send(const DecodedOp& op);
    // What it loaded or copied is there at `at`.
    void deliver(const DecodedOp& op, std::int64_t batch, Cycle at);

private:
    struct Register {
        Cycle read = 0;                              // a later instruction may read it
        Cycle write = 0;                             // and overwrite it
        StallReason reason = StallReason::selected;  // of whoever waits
    };
    struct Copies {
        std::int32_t under_way = 0;
        Cycle done = 0;
    };
    struct Products {
        std::int64_t end = 0;
        std::array<Cycle, 8> groups{};  // of the last groups
        std::size_t closed = 0;         // groups so far
        [[nodiscard]] Cycle done(int groups_left) const {
            const auto left = static_cast<std::size_t>(groups_left);
            return closed <= left || left >= groups.size() ? 0 : groups[(closed - 1 - left) % groups.size()];
        }
    };
    // When all batches up to number `last` have come.
    [[nodiscard]] Cycle copies_done(std::int64_t last) const;
    // A batch's copies, or those of all older ones than are told apart.
    [[nodiscard]] Copies& copies_of(std::int64_t batch) {
        return batch + told_apart <= batch_ ? older_ : batches_[static_cast<std::size_t>(batch % told_apart)];
    }
    void start_batch();

    std::vector<Register> registers_;
    Products products_;
    static constexpr std::int64_t told_apart = 8;  // the newest batches
    std::array<Copies, told_apart> batches_{};     // by number, in turn
    Copies older_;
    std::int64_t batch_ = 0;     // number of the newest
    bool batch_is_new_ = false;  // it started after the last wait
};

}  // namespace gpumodel::sim
