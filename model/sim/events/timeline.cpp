#include "model/sim/events/timeline.h"

#include <algorithm>
#include <tuple>

namespace gpumodel {
namespace {

constexpr char two_instructions = '2';

struct GroupLetter {
    char letter;
    const char* meaning;
};

GroupLetter letter_of(OpGroup group) {
    switch (group) {
        case OpGroup::fp32:
            return {'F', "FP32"};
        case OpGroup::fp64_fp16:
            return {'H', "FP64, FP16"};
        case OpGroup::integer:
            return {'I', "integer, logic"};
        case OpGroup::move:
        case OpGroup::special:
        case OpGroup::shuffle:
            return {'X', "move, convert, special, shuffle"};
        case OpGroup::shared_load:
            return {'L', "shared load"};
        case OpGroup::shared_store:
            return {'S', "shared store"};
        case OpGroup::global_load:
            return {'G', "global load"};
        case OpGroup::global_store:
            return {'W', "global store"};
        case OpGroup::async_copy:
            return {'C', "asynchronous copy"};
        case OpGroup::barrier:
            return {'B', "barrier"};
        case OpGroup::branch:
            return {'J', "branch"};
        case OpGroup::tensor:
            return {'T', "tensor"};
    }
    return {'?', "unknown"};
}

}  // namespace

char timeline_letter(StallReason reason) {
    switch (reason) {
        case StallReason::selected:
            return '*';
        case StallReason::not_selected:
            return 'n';
        case StallReason::wait:
            return '-';
        case StallReason::branch_resolving:
            return 'j';
        case StallReason::barrier:
            return 'b';
        case StallReason::short_scoreboard:
            return 's';
        case StallReason::long_scoreboard:
            return 'l';
        case StallReason::math_pipe_throttle:
            return 'p';
        case StallReason::mio_throttle:
            return 'q';
        case StallReason::lg_throttle:
            return 'g';
        case StallReason::dispatch_stall:
            return 'd';
        case StallReason::no_instruction:
            return 'i';
        case StallReason::drain:
            return 'e';
    }
    return '?';
}

char timeline_letter(OpClass op) {
    return letter_of(group_of(op)).letter;
}

std::vector<TimelineLetter> timeline_legend() {
    std::vector<TimelineLetter> legend;
    for (std::size_t c = 0; c < op_class_count; ++c) {
        const auto entry = letter_of(op_classes[c].group);
        if (std::none_of(legend.begin(), legend.end(),
                         [&](const TimelineLetter& l) { return l.letter == entry.letter; })) {
            legend.push_back({entry.letter, entry.meaning});
        }
    }
    legend.push_back({two_instructions, "two at once (dual issue)"});
    for (std::size_t r = 0; r < stall_reason_count; ++r) {
        const auto reason = static_cast<StallReason>(r);
        if (reason != StallReason::selected) {
            legend.push_back({timeline_letter(reason), std::string(to_string(reason))});
        }
    }
    return legend;
}

void SteadyStretch::block_started(std::int64_t cycle, int slot, std::int64_t /*block*/, int /*warps*/) {
    if (slot == 0 && !start_) {
        start_ = cycle;
    }
}

void SteadyStretch::block_ended(std::int64_t cycle, int slot, std::int64_t /*block*/) {
    if (slot == 0 && start_ && !end_) {
        end_ = cycle;
    }
}

std::int64_t SteadyStretch::from(std::int64_t cycles) const {
    return start_ && end_ && *end_ - *start_ > cycles ? *start_ + (*end_ - *start_ - cycles) / 2
                                                      : start_.value_or(0);
}

TimelineRecorder::Row* TimelineRecorder::row_of(const WarpName& warp) {
    if (warp.slot * warps_per_block_ + warp.warp >= window_.warps) {
        return nullptr;
    }
    const auto found = std::find_if(rows_.begin(), rows_.end(), [&warp](const Row& row) {
        return row.shown.slot == warp.slot && row.shown.warp == warp.warp;
    });
    if (found != rows_.end()) {
        return &*found;
    }
    const std::string empty(static_cast<std::size_t>(window_.cycles), ' ');
    rows_.push_back({{warp.slot, warp.warp, warp.scheduler, empty}, -1});
    return &rows_.back();
}

void TimelineRecorder::block_started(std::int64_t /*cycle*/, int /*slot*/, std::int64_t /*block*/,
                                     int warps) {
    warps_per_block_ = warps;
}

// After the span of the first of a pair, which has written its cell.
void TimelineRecorder::issued(const WarpIssue& issue) {
    const auto column = issue.cycle - window_.from;
    if (column < 0 || column >= window_.cycles) {
        return;
    }
    if (auto* row = row_of(issue.warp)) {
        if (row->last_issue == issue.cycle) {
            row->shown.cells[static_cast<std::size_t>(column)] = two_instructions;
        }
        row->last_issue = issue.cycle;
    }
}

void TimelineRecorder::spent(const WarpSpan& span) {
    last_cycle_ = std::max(last_cycle_, span.until);
    const auto begin = std::max<std::int64_t>(span.from - window_.from, 0);
    const auto end = std::min(span.until - window_.from, window_.cycles);
    if (begin >= end) {
        return;
    }
    if (auto* row = row_of(span.warp)) {
        const bool selected = span.reason == StallReason::selected;
        const char letter = selected ? timeline_letter(span.op) : timeline_letter(span.reason);
        auto& cells = row->shown.cells;
        std::fill(cells.begin() + begin, cells.begin() + end, letter);
    }
}

std::vector<TimelineRow> TimelineRecorder::rows() const {
    std::vector<TimelineRow> rows;
    for (const auto& row : rows_) {
        rows.push_back(row.shown);
    }
    std::sort(rows.begin(), rows.end(), [](const TimelineRow& a, const TimelineRow& b) {
        return std::tie(a.scheduler, a.slot, a.warp) < std::tie(b.scheduler, b.slot, b.warp);
    });
    return rows;
}

}  // namespace gpumodel
