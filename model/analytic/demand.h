// What one block asks of each resource of an SM, in SM cycles, and how long it would take alone.
//
// Every demand is a pure function of counts and spec values:
//   issue     warp instructions per scheduler * issue interval, less those that go with the one before
//   pipe p    sum over opcode classes on p of warp instructions per sub-partition * initiation interval
//   registers port cycles of the FFMAs (traces/port_cycles.h) + words that loads write back
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
#include "base/enum_table.h"
#include "model/memory/costs/behind_l1.h"
#include "model/memory/costs/copy_engine_costs.h"
#include "model/memory/costs/l1_costs.h"
#include "model/memory/costs/shared_memory_costs.h"
#include "model/memory/traffic.h"
#include "traces/kernel_program.h"

namespace gpumodel {

enum class Resource : unsigned char { issue, fma, alu, fp64, xu, tensor, registers, shared, l1, l2, dram };

struct ResourceRow {
    Resource resource;
    std::string_view name;
    bool of_sub_partition;  // a warp shares it with those of its sub-partition only
    bool arithmetic;        // time in it is time of arithmetic instructions
    std::string_view formula;
};
inline constexpr auto resource_rows = std::to_array<ResourceRow>({
    {Resource::issue, "issue slots", true, true, "blocks/SM x warp instructions/scheduler x issue interval"},
    {Resource::fma, "FMA pipe", true, true,
     "blocks/SM x FP32 warp instructions/sub-partition x initiation interval"},
    {Resource::alu, "ALU pipe", true, true,
     "blocks/SM x integer warp instructions/sub-partition x initiation interval"},
    {Resource::fp64, "FP64 pipe", true, true,
     "blocks/SM x FP64 warp instructions/sub-partition x initiation interval"},
    {Resource::xu, "XU pipe", true, true,
     "blocks/SM x XU warp instructions/sub-partition x initiation interval"},
    {Resource::tensor, "tensor pipe", true, true,
     "blocks/SM x tensor warp instructions/sub-partition x initiation interval"},
    {Resource::registers, "register ports", true, false,
     "blocks/SM x operand reads and load write-backs / register-file ports"},
    {Resource::shared, "shared memory", false, false,
     "blocks/SM x wavefronts x cycles/wavefront (with L1 where unified)"},
    {Resource::l1, "L1 cache", false, false, "blocks/SM x max(tag, data, request) cycles of global accesses"},
    {Resource::l2, "L2 cache", false, false, "blocks/SM x L2 bytes / SM's share of L2 bandwidth"},
    {Resource::dram, "DRAM", false, false, "blocks/SM x DRAM bytes / SM's share of achieved DRAM bandwidth"},
});
inline constexpr std::size_t resource_count = resource_rows.size();
static_assert(rows_in_order(resource_rows, &ResourceRow::resource));
[[nodiscard]] constexpr std::string_view to_string(Resource r) {
    return resource_rows[static_cast<std::size_t>(r)].name;
}
// What Resource::shared is called for a launch that leaves shared memory alone: the pipe is L1's too.
inline constexpr std::string_view l1_data_pipe = "L1 data pipe";
// The unit of a bound's name; nullptr for bounds that are no unit's (latency, barriers, launch ...).
[[nodiscard]] constexpr const ResourceRow* unit_named(std::string_view name) {
    for (const auto& row : resource_rows) {
        if (row.name == name || (row.resource == Resource::shared && name == l1_data_pipe)) {
            return &row;
        }
    }
    return nullptr;
}
// Bounds of two launches that are of one unit, whatever they call it.
[[nodiscard]] constexpr bool same_bound(std::string_view a, std::string_view b) {
    return a == b || (unit_named(a) != nullptr && unit_named(a) == unit_named(b));
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
    CopyEngineCosts copies;
    double miss_latency = 0;             // load to use of loads that L1 does not have
    double dram_part = 0, far_part = 0;  // of them, that DRAM serves, or the other half of L2
    double dram_bytes_per_l2_byte = 0;   // DRAM traffic that an L2 byte of this launch brings along
};
[[nodiscard]] MemoryRules memory_rules(const ArchSpec& arch, double sm_hz, const Traffic& traffic,
                                       const Waves& waves);

// Of a block that asks for more bytes than the mean block does: the others leave it theirs, so that all of
// the launch's still take as long.
[[nodiscard]] MemoryRules rates_of(const MemoryRules& rules, const Demand& own, const Demand& mean);

// Demand of one trip of a segment by one block.
[[nodiscard]] Demand segment_demand(const Segment& segment, const std::vector<const AnalysedSite*>& sites,
                                    const ArchSpec& arch, const MemoryRules& rules);

// SM-level cycles of one trip's accesses of a site in the shared-memory pipe or the L1.
[[nodiscard]] double data_stage_cycles(const AnalysedSite& site, const MemoryRules& rules);

}  // namespace gpumodel
