#include "model/sim/events/timeline.h"

#include <algorithm>
#include <array>
#include <tuple>
#include <utility>

namespace gpumodel {
namespace {

constexpr char two_instructions = '2';

// By name: a reason without a letter here shows as '?'.
constexpr std::array<std::pair<std::string_view, char>, 12> reason_letters{{
    {"not_selected", 'n'},
    {"wait", '-'},
    {"branch_resolving", 'j'},
    {"barrier", 'b'},
    {"short_scoreboard", 's'},
    {"long_scoreboard", 'l'},
    {"math_pipe_throttle", 'p'},
    {"mio_throttle", 'q'},
    {"lg_throttle", 'g'},
    {"dispatch_stall", 'd'},
    {"no_instruction", 'i'},
    {"selected", '*'},
}};

struct ClassLetter {
    char letter;
    const char* meaning;
};

ClassLetter class_letter(OpClass op) {
    switch (op) {
        case OpClass::ffma:
        case OpClass::fadd:
        case OpClass::fmul:
            return {'F', "FP32"};
        case OpClass::dfma:
        case OpClass::hfma:
            return {'H', "FP64, FP16"};
        case OpClass::iadd:
        case OpClass::imad:
        case OpClass::imad_wide:
        case OpClass::logic:
        case OpClass::shift:
        case OpClass::compare:
        case OpClass::uniform:
            return {'I', "integer, logic"};
        case OpClass::mov:
        case OpClass::convert:
        case OpClass::sfu:
        case OpClass::shuffle:
        case OpClass::special_register:
            return {'X', "move, convert, special, shuffle"};
        case OpClass::shared_load:
            return {'L', "shared load"};
        case OpClass::shared_store:
            return {'S', "shared store"};
        case OpClass::global_load:
            return {'G', "global load"};
        case OpClass::global_store:
            return {'W', "global store"};
        case OpClass::async_copy:
            return {'C', "asynchronous copy"};
        case OpClass::barrier:
            return {'B', "barrier"};
        case OpClass::branch:
            return {'J', "branch"};
    }
    return {'?', "unknown"};
}

}  // namespace

char timeline_letter(StallReason reason) {
    for (const auto& [name, letter] : reason_letters) {
        if (name == to_string(reason)) {
            return letter;
        }
    }
    return '?';
}

char timeline_letter(OpClass op) {
    return class_letter(op).letter;
}

std::vector<TimelineLetter> timeline_legend() {
    std::vector<TimelineLetter> legend;
    for (std::size_t c = 0; c < op_class_count; ++c) {
        const auto entry = class_letter(static_cast<OpClass>(c));
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
