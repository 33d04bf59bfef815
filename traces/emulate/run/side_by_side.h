// All blocks of a launch on one memory, so many at a time: whose turn it is is a matter of time (pacer.h).
#pragma once

#include <cstddef>
#include <functional>
#include <memory>

#include "traces/emulate/run/block_runner.h"
#include "traces/emulate/run/pacer.h"
#include "traces/side_by_side_time.h"

namespace gpumodel::emulate {

// `start` gives the next block, nullptr behind the last, and each is let go at its end; `check`, between
// turns, may throw. Faults as BlockRunner::run().
SideBySideTime run_side_by_side(std::size_t most, const std::function<std::shared_ptr<BlockRunner>()>& start,
                                const std::function<void()>& check, Pacer& pacer);

}  // namespace gpumodel::emulate
