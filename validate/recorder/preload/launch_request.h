// A launch as the program asks for it, whichever of the driver's calls it uses.
#pragma once

#include <array>
#include <functional>

#include "validate/recorder/preload/driver_api.h"

namespace gpumodel::recorder {

struct LaunchRequest {
    CUfunction function = nullptr;  // or a CUkernel
    std::array<unsigned, 3> grid{}, block{}, cluster{1, 1, 1};
    unsigned dynamic_shared_bytes = 0;
    CUstream stream = nullptr;  // never 0: which default stream is meant is said
    bool cooperative = false;
    void** parameters = nullptr;       // a pointer to each value
    void** extra = nullptr;            // or all in one buffer
    std::function<CUresult()> launch;  // the driver's own call
};

// Does the launch, and records it if it is asked for. The result is the driver's.
CUresult record_launch(const LaunchRequest& request);

}  // namespace gpumodel::recorder
