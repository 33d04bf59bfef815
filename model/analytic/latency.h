// How long a block takes when it has an SM to itself, and how resident blocks overlap.
//
// A warp's trip through a segment costs the larger of its own throughput time and its dependent-issue
// chain, plus every load round trip that the code waits for:
//   chain = max(own pipe cycles, FFMAs * latency / ILP, own wavefronts * spacing)
//           + serial shared loads * load_latency of the slowest
//           + serial global loads * latency of the level that serves them + transfer of the block's batch
//           + barrier + taken branches
//   transfer = max(bytes / SM port, missing lines / SM's request rate) + bytes cached / L1 bandwidth (fill)
// Bulk copies that a later trip of a loop waits for are made by no warp: over the loop's barriers, a trip
// takes
//   max(its sections, transfer + latency / trips ahead, the copies' bytes at L2 and DRAM)
// with costs from model/memory/costs and model/launch/barrier_costs.h.
// With W customers (warps of a sub-partition that ask for the section's busiest resource) that each need
// `own` cycles of a resource out of a chain of `alone` cycles,
//   together = ((W * own)^p + alone^p - own^p)^(1/p)
// which is `alone` for one customer, the resource's total for many, and in between a little above the
// larger of the two, as phases never interlock perfectly. p = overlap_exponent.
#pragma once

#include <vector>

#include "model/analytic/copy_pipeline.h"
#include "model/analytic/demand.h"

namespace gpumodel {

// Between terms that simply add up (1) and perfect interlock (infinite). Chosen on the calibration half of
// validate/data/h200_sxm_times.csv: mean error 8.1, 7.9, 7.8, 7.8, 7.9, 8.3, 9.3 %
// for 1.25, 1.375, 1.5, 1.625, 1.75, 2, 2.5. The machine-repairman queue, which has no such constant,
// gave 15.7 % (exponential) and 17.5 % (fixed service) where 1.5 gave 11.4 %.
inline constexpr double overlap_exponent = 1.5;

// Between blocks whose bulk copies run ahead of their products, which interlock better. Chosen on the
// calibration half of wgmma_tma: of 16-bit elements 8.8, 8.1, 7.2, 6.5 % for 1.5, 2, 3, 6, of
// others 18.0, 17.2, 16.3, 15.6 %.
inline constexpr double copies_ahead_exponent = 6;

[[nodiscard]] double overlap(double customers, double own, double alone, double p = overlap_exponent);

// What one warp of a segment spends on one trip.
struct SegmentChain {
    double cycles = 0;      // in order, until its last instruction can issue
    double prefetched = 0;  // load latency started here and waited for later in the same barrier section
    CopyTrip copies;        // of a trip's bulk copies, less what L2 and DRAM take for their bytes
};
[[nodiscard]] SegmentChain segment_chain(const Segment& segment,
                                         const std::vector<const AnalysedSite*>& sites, const Demand& demand,
                                         const ArchSpec& arch, const MemoryRules& rules);

struct BlockTime {
    Demand demand{};            // of one block, launch to retirement
    double alone_cycles = 0;    // one block on an idle SM, including block turnover
    double latency_cycles = 0;  // of which waiting: alone less the largest demand of every barrier section
    double barrier_cycles = 0;  // of which barrier release
    bool copies_ahead = false;  // bulk copies that run ahead of the products of their data
};

// Walks the program by barrier sections: the nodes up to the next block-wide barrier. Warps of disjoint
// thread ranges pass through a section side by side, all of them meet at its barrier. Of blocks that differ
// (variants), the mean; where all of them run `at_once`, the time of the longest.
[[nodiscard]] BlockTime block_time(const KernelProgram& program, const std::vector<AnalysedSite>& sites,
                                   const ArchSpec& arch, const MemoryRules& rules, bool at_once);

// Cycles for `n` blocks that start together on one SM.
[[nodiscard]] double round_cycles(const BlockTime& block, int n);

}  // namespace gpumodel
