// A picture of some cycles of a run: one row per warp, one column per cycle, one letter for what the
// warp did in it. Upper case = it issued, by instruction class; lower case = why it did not.
//
// Window and number of warps are the caller's; what lies outside costs nothing but the calls. A warp slot
// shows the blocks that it runs one after the other.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "model/sim/events/events.h"

namespace gpumodel {

struct TimelineWindow {
    std::int64_t from = 0;
    std::int64_t cycles = 100;
    int warps = 16;  // the first of the SM, by block slot and warp
};

struct TimelineRow {
    int slot = 0;
    int warp = 0;
    int scheduler = 0;
    std::string cells;  // one per cycle of the window; ' ' = the warp is not resident
};

struct TimelineLetter {
    char letter = '?';
    std::string meaning;
};

[[nodiscard]] char timeline_letter(StallReason reason);
[[nodiscard]] char timeline_letter(OpClass op);
// All letters that can stand in a cell, issues first.
[[nodiscard]] std::vector<TimelineLetter> timeline_legend();

// Where a stretch of `cycles` in the steady part of a run begins: around the middle of the life of the first
// block that ran in slot 0, away from its prologue and its end. A listener of a run of its own; the same run
// with a TimelineRecorder then shows the stretch.
class SteadyStretch : public SimListener {
public:
    void block_started(std::int64_t cycle, int slot, std::int64_t block, int warps) override;
    void block_ended(std::int64_t cycle, int slot, std::int64_t block) override;
    // The block's start where it lives no longer than that; 0 where no block ran.
    [[nodiscard]] std::int64_t from(std::int64_t cycles) const;

private:
    std::optional<std::int64_t> start_, end_;
};

class TimelineRecorder : public SimListener {
public:
    explicit TimelineRecorder(const TimelineWindow& window) : window_(window) {}

    void block_started(std::int64_t cycle, int slot, std::int64_t block, int warps) override;
    void issued(const WarpIssue& issue) override;
    void spent(const WarpSpan& span) override;

    // By scheduler, then slot and warp, so that neighbours compete for the same issue slots.
    [[nodiscard]] std::vector<TimelineRow> rows() const;
    [[nodiscard]] const TimelineWindow& window() const { return window_; }
    [[nodiscard]] std::int64_t last_cycle() const { return last_cycle_; }

private:
    struct Row {
        TimelineRow shown;
        std::int64_t last_issue = -1;
    };
    // nullptr for warps that are not shown
    Row* row_of(const WarpName& warp);

    TimelineWindow window_;
    int warps_per_block_ = 1;
    std::vector<Row> rows_;
    std::int64_t last_cycle_ = 0;
};

}  // namespace gpumodel
