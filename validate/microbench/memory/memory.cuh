// Kernels that live on memory, and loops of dependent arithmetic, launched as `gpumodel predict --sass` would
// be told to: entry, grid, block, dynamic shared memory and arguments in its own words (ARGS with '|' for
// ',').
//   ENTRY, GRID=x|y|z;BLOCK=x|y|z;SHARED=bytes;ARGS=ptr:256MiB|1024|0.5f|...   time_us of one launch among
//   others like it, an event between every two
// Entries test_*: held back; no rule and no constant is fitted to them. Arrays hold random words of 1 ... 2.
#pragma once

#include "validate/microbench/microbench.cuh"

namespace gpumodel::microbench {

struct MemoryLaunch {
    std::string entry;
    dim3 grid, block;
    int shared = 0;
    std::string args;
};
[[nodiscard]] std::vector<MemoryLaunch> stream_launches();
[[nodiscard]] std::vector<MemoryLaunch> chain_launches();
[[nodiscard]] std::vector<MemoryLaunch> held_back_launches();

void memory_launches(const Device& device, Recorder& recorder);

}  // namespace gpumodel::microbench
