// How long a launch runs, by two events in its stream.
//
// The stream is held by a host function until event, launch and event are all submitted, so that what lies
// between the events is the GPU's time alone: the launch itself and some 2 to 5 us in which an empty kernel
// is begun and ended. Work that the program has in other streams may run at the same time and is then counted
// in.
#pragma once

#include "validate/recorder/preload/launch_request.h"

namespace gpumodel::recorder {

struct LaunchTime {
    CUresult status = success;  // of the launch
    double microseconds = -1;   // < 0: not measured
    bool held = false;          // false: the time may hold the program's own way to the launch
};

// `prepare`: work in the stream that goes right before the first event, while the stream is held.
[[nodiscard]] LaunchTime timed_launch(const LaunchRequest& request,
                                      const std::function<void()>& prepare = {});

}  // namespace gpumodel::recorder
