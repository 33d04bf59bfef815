// The simulator's stall cycles as the views show them.
#pragma once

#include <string_view>
#include <vector>

#include "model/prediction.h"

namespace gpumodel {

struct StallShare {
    StallReason reason = StallReason::selected;
    double warp_cycles = 0;
    double share_pct = 0;         // of all warp cycles
    double cycles_per_issue = 0;  // smsp__average_warps_issue_stalled_<reason>_per_issue_active
};

// Reasons that occur, most cycles first. Their shares sum to 100.
[[nodiscard]] std::vector<StallShare> ranked_stalls(const SimulationReport& run);

// The same without `selected` and `not_selected`: cycles in which the warp could not have issued.
[[nodiscard]] std::vector<StallShare> ranked_waits(const SimulationReport& run);

[[nodiscard]] std::string_view stall_words(StallReason reason);

// The reason of most of an instruction's cycles other than its issue.
[[nodiscard]] StallShare main_stall(const InstructionReport& instruction);

}  // namespace gpumodel
