#pragma once

namespace gpumodel {

// Of all blocks of a launch on one memory, in SM cycles (traces/emulate/run/pacer.h). Zeros: they were not
// executed so.
struct SideBySideTime {
    double cycles = 0;  // until the last ends
    // Of these, what the warps that it had to wait for, one behind the other, stood at slices of L2, and went
    // round in loops in which they waited for what other blocks store.
    double queued = 0, polled = 0;
    bool contended = false;  // swaps were tried again, or something was polled
};

}  // namespace gpumodel
