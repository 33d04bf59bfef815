// How long a run takes at least, while it is under way: for searches that need no launch slower than some
// limit.
//
//   cycles >= cycles so far + instructions left x (1 - faster_later) x cycles per instruction of the fastest
//             window so far
//
// A window is a stretch of the run of at least window_instructions. The rest may run faster than the fastest
// of them only if all warps do at once what the windows did one by one; faster_later (policy.h) is for that.
#pragma once

#include "model/sim/extrapolate/windows.h"

namespace gpumodel::sim {

class LeastTime {
public:
    // `instructions`: of all blocks that the SM is sure to run.
    LeastTime(double instructions, double most_cycles) : all_(instructions), most_cycles_(most_cycles) {}

    // The run at the end of a window of iterations: can it not end within the limit any more?
    [[nodiscard]] bool exceeded(const Snapshot& now, const LeftOut& left_out);

private:
    double all_;
    double most_cycles_;
    double window_begin_ = 0, window_instructions_ = 0;  // of what is simulated
    double fastest_ = 0;                                 // cycles per instruction; 0 = no window yet
    int windows_ = 0;
};

}  // namespace gpumodel::sim
