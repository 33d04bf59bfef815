// What a memory instruction costs in the data pipe and how its result's latency follows from its last
// wavefront: the rules of model/memory/costs as the cycle loop needs them.
#pragma once

#include "model/memory/costs/copy_engine_costs.h"
#include "model/memory/costs/l1_costs.h"
#include "model/memory/costs/shared_memory_costs.h"
#include "model/sim/memory/access_table.h"
#include "model/sim/memory/data_pipe.h"

namespace gpumodel::sim {

// Cycles from issue until the data pipe may start on an instruction. Not observable apart: all latencies
// count from issue.
inline constexpr int issue_to_data_pipe = 1;

struct MemoryCosts {
    SharedMemoryCosts shared;
    L1Costs l1;
    CopyEngineCosts copies;
    double barrier_cycles = 0;  // of a block's release
};
[[nodiscard]] MemoryCosts memory_costs(const ArchSpec& arch);

// Fills in slots and their cycles.
void set_shared_slots(const MemoryCosts& costs, int words, const AccessCost& access, PipeRequest& request);
void set_global_load_slots(const MemoryCosts& costs, const AccessCost& access, PipeRequest& request);
void set_copy_slots(const MemoryCosts& costs, const AccessCost& access,
                    PipeRequest& request);  // past L1, without the shared side
void set_texture_slots(const MemoryCosts& costs, const AccessCost& access, PipeRequest& request);
void set_global_store_slots(const MemoryCosts& costs, const AccessCost& access, PipeRequest& request);

// Result of a shared load whose last of `wavefronts` starts at `last_start`: SharedMemoryCosts::load_latency
// from issue on an idle SM, of which the pipe's own spacing of wavefronts is already in last_start.
[[nodiscard]] double shared_arrival(const MemoryCosts& costs, int words, int wavefronts, double last_start);

}  // namespace gpumodel::sim
