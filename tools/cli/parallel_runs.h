// Many independent runs on all cores, with a line of progress on standard error if that is a terminal.
#pragma once

#include "validate/accuracy/accuracy.h"

namespace gpumodel::cli {

// `threads` 0 = all cores. The returned function may be called several times, not at once.
[[nodiscard]] ForEach parallel_runs(int threads);

}  // namespace gpumodel::cli
