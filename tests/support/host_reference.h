// Executes a KernelProgram on the host, thread by thread and word by word, by its access functions
// alone: the proof that the functions compute the right C.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "traces/kernel_program.h"

namespace gpumodel {

struct HostRun {
    std::map<std::string, std::vector<float>> arrays;              // after the launch
    std::map<std::string, std::vector<std::int32_t>> write_count;  // per element, global arrays
    std::vector<std::string> faults;  // out-of-bounds or misaligned access, read of a shared word
                                      // before any write, write/read race between barriers
};

// `inputs` must hold every array that the program reads, of the size the program states.
[[nodiscard]] HostRun run_on_host(const KernelProgram& program,
                                  const std::map<std::string, std::vector<float>>& inputs, float alpha,
                                  float beta);

}  // namespace gpumodel
