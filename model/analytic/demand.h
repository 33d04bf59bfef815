// What one block asks of each resource of an SM, in SM cycles, and how long it would take alone.
//
// Every demand is a pure function of counts and spec values:
//   issue     warp instructions per scheduler * issue interval, less dual-issued FFMA partners
//   pipe p    sum over opcode classes on p of warp instructions per sub-partition * initiation interval
//   registers (3 reads per FFMA less reuse hits + words that loads write back)
//             / (banks * reads per bank and cycle) * imbalance        (H200 microbenchmarks);
//             with code: port cycles of its FFMAs (traces/port_cycles.h) instead of their reads
//   shared    wavefronts * bytes of a wavefront / bandwidth, at least the request floor, plus the
//             measured charge per request                              (sections 6 and 7)
//   l1        max(data-stage passes, lines / tag rate, request floor) + charge per request (section 8)
//   l2, dram  bytes / (this SM's share of the GPU-wide rate)
// The shared-memory and L1 data stages are one pipe where the arrays are unified.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "arch_specs/arch_spec.h"
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

// Reuse of operands in an outer product with a reuse cache, and how unevenly the two banks are used:
// mean of the compiled GH100 GEMM loops in study of compiled listings (0.66 to 0.82 hits per FFMA by class;
// 1.25 port cycles per FFMA where the reads alone give 1.17).
inline constexpr double reuse_hits_per_ffma = 0.70;
inline constexpr double bank_imbalance = 1.08;

// Rates that an SM sees for levels shared by all SMs.
struct SharedRates {
    double l2_read_bytes_per_cycle = 0;  // per SM
    double l2_write_bytes_per_cycle = 0;
    double dram_bytes_per_cycle = 0;    // per SM
    double dram_bytes_per_l2_byte = 0;  // DRAM traffic that an L2 byte of this launch brings along
};
[[nodiscard]] SharedRates shared_rates(const ArchSpec& arch, const Traffic& traffic, const Waves& waves);

// Demand of one trip of a segment by one block.
[[nodiscard]] Demand segment_demand(const Segment& segment, const std::vector<const AnalysedSite*>& sites,
                                    const ArchSpec& arch, const SharedRates& rates);

// SM-level cycles of one trip's accesses of a site in the shared-memory pipe or the L1.
[[nodiscard]] double data_stage_cycles(const AnalysedSite& site, const ArchSpec& arch);

}  // namespace gpumodel
