#include "model/sim/extrapolate/least_time.h"

#include <algorithm>

#include "model/sim/extrapolate/policy.h"

namespace gpumodel::sim {

bool LeastTime::exceeded(const Snapshot& now, const LeftOut& left_out) {
    const auto at = static_cast<double>(now.now);
    const double instructions = now.counters.instructions - window_instructions_;
    if (instructions < policy::window_instructions) {
        return false;
    }
    const double cpi = (at - window_begin_) / instructions;
    fastest_ = windows_ == 0 ? cpi : std::min(fastest_, cpi);
    ++windows_;
    window_begin_ = at;
    window_instructions_ = now.counters.instructions;
    const double done = now.counters.instructions + left_out.counters.instructions;
    const double rest = std::max(0.0, all_ - done) * (1 - policy::faster_later) * fastest_;
    return windows_ >= policy::windows_for_least_time &&
           at + static_cast<double>(left_out.cycles) + rest > most_cycles_;
}

}  // namespace gpumodel::sim
