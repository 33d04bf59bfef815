// A folded program executed again, instruction by instruction, to be laid beside what the source executed.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "traces/kernel_program.h"
#include "traces/warp_events.h"

// One issued instruction; a memory instruction with its lanes, an asynchronous copy with two.
struct Issued {
    std::uint32_t instruction_address = 0;
    std::vector<std::uint32_t> active;
    std::vector<std::array<std::int64_t, 32>> address;  // idle lanes 0
    std::vector<std::string> array;
    friend bool operator==(const Issued&, const Issued&) = default;
};
using WarpIssue = std::vector<Issued>;

// Per warp of one block, in order.
std::vector<WarpIssue> expand(const gpumodel::KernelProgram& program, const gpumodel::Dim3& block);
std::vector<WarpIssue> execute(gpumodel::BlockSource& source, const gpumodel::LaunchContext& launch,
                               const gpumodel::Dim3& block);

// The body that a block runs.
const std::vector<gpumodel::Node>& body_of(const gpumodel::KernelProgram& program,
                                           const gpumodel::Dim3& block);

// First difference in words; "" if the program gives exactly what the source executes in that block.
std::string difference(const gpumodel::KernelProgram& program, gpumodel::BlockSource& source,
                       const gpumodel::LaunchContext& launch, const gpumodel::Dim3& block);
std::string difference_in_all_blocks(const gpumodel::KernelProgram& program, gpumodel::BlockSource& source,
                                     const gpumodel::LaunchContext& launch);
