// Why a warp did not issue in a cycle. Every cycle of a resident warp has exactly one reason; names are
// Nsight Compute's (smsp__average_warps_issue_stalled_<name>).
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "base/enum_table.h"

namespace gpumodel {

enum class StallReason : unsigned char {
    selected,            // it issued
    not_selected,        // it could have, another warp of the scheduler did
    wait,                // fixed-latency dependence or stall count
    branch_resolving,    // taken branch
    barrier,             // waits for the block's other warps
    short_scoreboard,    // result or source release of a shared-memory, shuffle or special-function operation
    long_scoreboard,     // result or source release of an operation on global or local memory
    math_pipe_throttle,  // the pipe takes no instruction yet
    mio_throttle,        // memory queue full, with a shared-memory operation or a shuffle at hand
    lg_throttle,         // memory queue full, with an operation on global or local memory at hand
    dispatch_stall,      // register-file ports: of every warp that could issue, none may
    no_instruction,      // instruction fetch
    drain,               // it has exited, its stores have not left the SM's memory queue
};
inline constexpr auto stall_reason_names = enum_words<StallReason>(
    "selected", "not_selected", "wait", "branch_resolving", "barrier", "short_scoreboard", "long_scoreboard",
    "math_pipe_throttle", "mio_throttle", "lg_throttle", "dispatch_stall", "no_instruction", "drain");
inline constexpr std::size_t stall_reason_count = stall_reason_names.size();

[[nodiscard]] constexpr std::string_view to_string(StallReason reason) {
    return stall_reason_names[static_cast<std::size_t>(reason)];
}

// Cycles by reason.
using StallCycles = std::array<std::int64_t, stall_reason_count>;

}  // namespace gpumodel
