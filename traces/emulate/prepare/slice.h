// Which micro-operations have to run: those that report accesses or steer warps, and, backwards from there,
// all that their sources and guards depend on. A store to shared or local memory counts only if a load whose
// value is needed may see it, and copies of tiles are not where barriers are (mbarrier.h); in a matrix
// product no multiplication runs. Stores to device memory count only where they are asked for.
//
// It is liveness analysis by blocks, with the uses of an operation counted only where its results are
// needed: a result under a guard does not end the need for the old value.
#pragma once

#include <vector>

#include "traces/emulate/prepare/program.h"

namespace gpumodel::emulate {

enum class DeviceStores : unsigned char { left_out, needed };

// One flag per operation of program.ops. Needs the blocks' successors.
[[nodiscard]] std::vector<bool> needed_operations(const Program& program, DeviceStores stores);

}  // namespace gpumodel::emulate
