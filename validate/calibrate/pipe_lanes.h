// Pipes that are wider than the spec to start from says: a GPU of the next generation may have twice the FP32
// lanes, and no throughput of a class can be fitted beyond the lanes of its pipe.
#pragma once

#include <vector>

#include "validate/calibrate/calibrate.h"

namespace gpumodel {

// Raises sm.pipes.PIPE.lanes of `arch` where a row of pipe_throughput is more than 5 % above them, to the
// highest of them as a multiple of the schedulers; returns the keys that were raised.
[[nodiscard]] std::vector<CalibratedKey> widen_pipes(const MicrobenchmarkFile& file, ArchSpec& arch);

}  // namespace gpumodel
