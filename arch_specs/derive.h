// What a spec implies: initiation intervals, latencies of the memory classes, peaks.
#pragma once

#include "arch_specs/arch_spec.h"

namespace gpumodel {

// Classes whose latency is another key's value:
//   shared_load = sm.shared_memory.latency_32; global_load, async_copy = hit latency of the first cache
//   level that plain loads use (L1, L2, else DRAM); barrier = sm.barrier.latency;
//   branch = sm.branch_latency; shared_store, global_store = 0 (no result).
[[nodiscard]] bool has_derived_latency(OpClass op);

// Fills every derived field of a spec whose other fields are set:
//   initiation interval = 32 * sub_partitions / lanes per cycle (cycles one warp instruction occupies its
//   pipe in one sub-partition; below 1 where the lanes exceed one warp per cycle, as on Kepler);
//   peak_fp32 = 2 * ffma lanes * SMs * clock; peak_shared, peak_l2 = bytes per cycle * (SMs *) clock.
void derive(ArchSpec& spec);

// 2 * ffma lanes * SMs * clock; 0 without an ffma class.
[[nodiscard]] double fp32_peak_at(const ArchSpec& spec, double clock_hz);

// The rated clock (clock.sm, clock.base or clock.boost) whose derived FP32 peak is nearest to the
// declared one: makers print the peak at whichever flatters the product. clock.sm if none is declared.
[[nodiscard]] double declared_clock_hz(const ArchSpec& spec);

}  // namespace gpumodel
