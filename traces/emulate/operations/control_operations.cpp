#include "traces/emulate/operations/control_operations.h"

#include "traces/emulate/operations/lane_operations.h"

namespace gpumodel::emulate {

namespace {

constexpr u32 register_bits = 0xfU;

Lanes& barrier(Warp& warp, const MicroOp& op) {
    return warp.meeting_of[op.option & register_bits];
}

}  // namespace

int Warp::open_meeting(Meeting::Kind kind, std::uint32_t expected, int target) {
    if (free_meetings.empty()) {
        meetings.push_back({kind, expected, target});
        return static_cast<int>(meetings.size()) - 1;
    }
    const int meeting = free_meetings.back();
    free_meetings.pop_back();
    meetings[static_cast<std::size_t>(meeting)] = {kind, expected, target};
    return meeting;
}

void open_barrier(Warp& warp, const MicroOp& op, u32 mask) {
    const int meeting = warp.open_meeting(Meeting::Kind::sync, mask, static_cast<int>(op.immediate));
    Lanes value;
    fill(value, static_cast<u32>(meeting) + 1);
    assign(barrier(warp, op), value, mask);
}

void save_barrier(Warp& warp, const MicroOp& op, u32 mask) {
    assign(to(warp, op), barrier(warp, op), mask);
    if ((op.option & clears_barrier) != 0) {
        assign(barrier(warp, op), Lanes{}, mask);
    }
}

void restore_barrier(Warp& warp, const MicroOp& op, u32 mask) {
    assign(barrier(warp, op), from(warp, op, 0), mask);
}

void leave_barrier(Warp& warp, const MicroOp& op, u32 mask) {
    mask &= warp.predicate(op.predicate_from[0]);
    const auto& meeting = barrier(warp, op);
    for (std::size_t i = 0; i < lane_count; ++i) {
        const auto number = static_cast<std::size_t>(meeting.at[i]);
        if ((mask & lane_bit[i]) != 0 && number > 0 && number <= warp.meetings.size()) {
            warp.meetings[number - 1].expected &= ~lane_bit[i];
        }
    }
}

void push_meeting(Warp& warp, const MicroOp& op, u32 mask) {
    const auto kind = static_cast<Meeting::Kind>(op.option);
    const int meeting = warp.open_meeting(kind, mask, static_cast<int>(op.immediate));
    warp.paths[warp.current].stack.push_back(meeting);
}

}  // namespace gpumodel::emulate
