#include "model/sim/extrapolate/least_time.h"

#include <algorithm>

namespace gpumodel::sim {

bool LeastTime::exceeded(const Snapshot& now, const LeftOut& left_out) {
    const End end{static_cast<double>(now.now), now.counters.instructions};
    if (end.instructions - ends_[windows_ % ends_.size()].instructions < policy::window_instructions) {
        return false;
    }
    ++windows_;
    ends_[windows_ % ends_.size()] = end;
    if (windows_ < policy::windows_of_stretch) {
        return false;
    }
    const auto& begin = ends_[(windows_ + 1) % ends_.size()];
    const double cpi = (end.at - begin.at) / (end.instructions - begin.instructions);
    fastest_ = fastest_ == 0 ? cpi : std::min(fastest_, cpi);
    const double left = std::max(0.0, all_ - end.instructions - left_out.counters.instructions);
    const double so_far = end.at + static_cast<double>(left_out.cycles);
    least_ = so_far + left * (1 - policy::faster_later(end.instructions)) * fastest_;
    expected_ = so_far + left * cpi;
    return known() && least_ > most_cycles_;
}

}  // namespace gpumodel::sim
