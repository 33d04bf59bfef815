// How long a run takes at least, and about how long, while it is under way: for searches that need no launch
// slower than some limit.
//
//   cycles >= cycles so far + instructions left x (1 - faster later) x cycles per instruction of the fastest
//             stretch so far
//   cycles ~  cycles so far + instructions left x cycles per instruction of the last stretch
//
// A window is a part of the run of at least window_instructions, a stretch windows_of_stretch of them side by
// side: single windows of a steady run differ, as blocks load and compute in turn. The rest may run faster
// than the fastest stretch only if all warps do at once what the stretches did one by one; faster_later
// (policy.h) is for that.
#pragma once

#include <array>

#include "model/sim/extrapolate/policy.h"
#include "model/sim/extrapolate/windows.h"

namespace gpumodel::sim {

class LeastTime {
public:
    // `instructions`: of all blocks that the SM is sure to run.
    LeastTime(double instructions, double most_cycles) : all_(instructions), most_cycles_(most_cycles) {}

    // The run at the end of a window of iterations: can it not end within the limit any more?
    [[nodiscard]] bool exceeded(const Snapshot& now, const LeftOut& left_out);
    // Enough was seen to say how long it takes.
    [[nodiscard]] bool known() const { return windows_ >= policy::windows_for_least_time; }
    // Cycles, at the last window's end; of no meaning unless known().
    [[nodiscard]] double least() const { return least_; }
    [[nodiscard]] double expected() const { return expected_; }

private:
    struct End {
        double at = 0, instructions = 0;  // of what is simulated
    };
    double all_;
    double most_cycles_;
    std::array<End, policy::windows_of_stretch + 1> ends_{};  // by window, in turn
    std::size_t windows_ = 0;
    double fastest_ = 0;  // cycles per instruction; 0 = no stretch yet
    double least_ = 0, expected_ = 0;
};

}  // namespace gpumodel::sim
