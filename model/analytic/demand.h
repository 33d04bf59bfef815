// What one block asks of each resource of an SM, in SM cycles, and how long it would take alone.
//
// Every demand is a pure function of counts and spec values:
//   issue     warp instructions per scheduler * issue interval, less those that go together with the one
//   before pipe p    sum over opcode classes on p of warp instructions per sub-partition * initiation
//   interval registers port cycles of the FFMAs (traces/port_cycles.h) + words that loads write back
//             / (banks * reads per bank and cycle): neighbouring words lie in different banks
//   shared    model/memory/costs/shared_memory_costs.h: request_cycles
//   l1        model/memory/costs/l1_costs.h: load_cycles, store_cycles (atomics too)
//   l2, dram  bytes / this SM's share of the GPU-wide rate (model/memory/costs/behind_l1.h)
// The shared-memory and L1 data stages are one pipe where the arrays are unified.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "arch_specs/arch_spec.h"
#include "model/memory/costs/behind_l1.h"
#include "model/memory/costs/l1_costs.h"
#include "model/memory/costs/shared_memory_costs.h"
#include "model/memory/traffic.h"
#include "traces/kernel_program.h"

namespace gpumodel {

enum class Resource : unsigned char { issue, fma, alu, fp64, xu, registers, shared, l1, l2, dram };
inline constexpr std::size_t resource_count = 10;
inline constexpr std::array<std::string_view, resource_count> resource_names{
    "issue slots",    "FMA pipe",      "ALU pipe", "FP64 pipe", "XU pipe",
    "register ports", "shared memory", "L1 cache", "L2 cache",  "DRAM"};
[[nodiscard]] constexpr std::string_view to_string(Resource r) {
    return resource_names[static_cast<std::size_t>(r)];
}

using Demand = std::array<double, resource_count>;  // cycles per block

[[nodiscard]] Demand operator+(const Demand& a, const Demand& b);
[[nodiscard]] Demand operator*(const Demand& a, double factor);
[[nodiscard]] double largest(const Demand& demand);

// The book of memory costs, opened for one launch.
struct MemoryRules {
    SharedMemoryCosts shared;
    L1Costs l1;
    BehindL1 behind;
    double miss_latency = 0;            // load to use of loads that L1 does not have
    double dram_bytes_per_l2_byte = 0;  // DRAM traffic that an L2 byte of this launch brings along
};
[[nodiscard]] MemoryRules memory_rules(const ArchSpec& arch, const Traffic& traffic, const Waves& waves);

// Demand of one trip of a segment by one block.
[[nodiscard]] Demand segment_demand(const Segment& segment, const std::vector<const AnalysedSite*>& sites,
                                    const ArchSpec& arch, const MemoryRules& rules);

// SM-level cycles of one trip's accesses of a site in the shared-memory pipe or the L1.
[[nodiscard]] double data_stage_cycles(const AnalysedSite& site, const MemoryRules& rules);

}  // namespace gpumodel
