// The instructions of one warp of one block, in execution order.
#pragma once

#include <functional>
#include <vector>

#include "traces/kernel_program.h"

namespace gpumodel {

inline constexpr int warp_lanes = 32;

// The body that a block runs.
[[nodiscard]] const std::vector<Node>& body_of(const KernelProgram& program, const Dim3& block);

// Lanes of the warp that run the segment.
[[nodiscard]] std::uint32_t lanes_of(const Segment& segment, int warp);

// Instructions of the warp, by the trip counts; double, since nested trips may exceed any integer.
[[nodiscard]] double count_instructions(const std::vector<Node>& nodes, int warp);

struct IssuedInstruction {
    const Segment* segment = nullptr;
    std::size_t index = 0;  // in segment->code
    Coord at;               // block and loop counters
    std::uint32_t lanes = 0;
};

// Calls `visit` until it returns false; returns false then.
bool walk_warp(const std::vector<Node>& nodes, const Dim3& block, int warp,
               const std::function<bool(const IssuedInstruction&)>& visit);

// Lanes whose guard is true in a memory instruction, and the addresses of its global or only site (for an
// async_copy `offset` 1 gives the shared one). All lanes for an instruction without a site.
[[nodiscard]] std::uint32_t active_lanes(const IssuedInstruction& issued, int warp,
                                         std::array<std::int64_t, 32>& address, int offset = 0);

}  // namespace gpumodel
