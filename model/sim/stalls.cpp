#include "model/sim/stalls.h"

#include <algorithm>
#include <numeric>

namespace gpumodel {
namespace {

using Cycles = std::array<double, stall_reason_count>;

std::vector<StallShare> ranked(const Cycles& cycles, double issues) {
    const double all = std::accumulate(cycles.begin(), cycles.end(), 0.0);
    std::vector<StallShare> shares;
    for (std::size_t i = 0; i < cycles.size(); ++i) {
        if (cycles[i] > 0) {
            shares.push_back({static_cast<StallReason>(i), cycles[i], 100 * cycles[i] / all,
                              issues > 0 ? cycles[i] / issues : 0});
        }
    }
    std::stable_sort(shares.begin(), shares.end(),
                     [](const StallShare& a, const StallShare& b) { return a.warp_cycles > b.warp_cycles; });
    return shares;
}

}  // namespace

std::vector<StallShare> ranked_stalls(const SimulationReport& run) {
    return ranked(run.stall_cycles, run.instructions);
}

std::vector<StallShare> ranked_waits(const SimulationReport& run) {
    auto shares = ranked_stalls(run);
    std::erase_if(shares, [](const StallShare& s) {
        return s.reason == StallReason::selected || s.reason == StallReason::not_selected;
    });
    return shares;
}

StallShare main_stall(const InstructionReport& instruction) {
    auto shares = ranked(instruction.stall_cycles, instruction.issues);
    const auto waits = std::find_if(shares.begin(), shares.end(),
                                    [](const StallShare& s) { return s.reason != StallReason::selected; });
    return waits != shares.end() ? *waits : shares.empty() ? StallShare{} : shares.front();
}

std::string_view stall_words(StallReason reason) {
    switch (reason) {
        case StallReason::selected:
            return "issued";
        case StallReason::not_selected:
            return "ready, another warp of the scheduler issued";
        case StallReason::wait:
            return "fixed-latency result or stall count";
        case StallReason::branch_resolving:
            return "taken branch";
        case StallReason::barrier:
            return "the block's other warps, at a barrier";
        case StallReason::short_scoreboard:
            return "shared memory, shuffle or special function";
        case StallReason::long_scoreboard:
            return "global or local load";
        case StallReason::math_pipe_throttle:
            return "the arithmetic pipe is taken";
        case StallReason::mio_throttle:
            return "the memory queue is full";
        case StallReason::lg_throttle:
            return "the memory queue is full, for global memory";
        case StallReason::dispatch_stall:
            return "register-file ports are taken";
        case StallReason::no_instruction:
            return "instruction fetch";
        case StallReason::drain:
            return "its stores have not left, after its end";
    }
    return "";
}

}  // namespace gpumodel
