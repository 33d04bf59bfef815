// What a memory instruction costs in the data pipe and how its result's latency follows from its last
// wavefront.
#pragma once

#include "model/sim/core/data_pipe.h"
#include "model/sim/memory/access_table.h"

namespace gpumodel::sim {

// Cycles from issue until the data pipe may start on an instruction. Not observable apart: all latencies
// count from issue.
inline constexpr int issue_to_data_pipe = 1;

struct MemoryCosts {
    double wavefront_cycles = 1;  // shared
    double shared_min = 1, shared_extra = 0;
    double global_min = 1, global_extra = 0;
    double tag_lines = 0;  // 0 = no limit
    double fill_cycles_per_byte = 0;
    double miss_line_cycles = 0;  // of the request port to L2, per line
    double sectors_per_slot = 4;
    bool l1_data_stage = true;  // bank rule on L1 hits
    double l1_latency = 0, read_only_latency = 0;
    double interval = 1;                     // of one scheduler
    std::array<double, 5> shared_latency{};  // by words
    double conflict_latency = 0, conflict_latency_per_word = 0;
};
[[nodiscard]] MemoryCosts memory_costs(const ArchSpec& arch);

// Fills in slots and their cycles.
void set_shared_slots(const MemoryCosts& costs, const AccessCost& access, PipeRequest& request);
void set_global_load_slots(const MemoryCosts& costs, const AccessCost& access, PipeRequest& request);
void set_global_store_slots(const MemoryCosts& costs, const AccessCost& access, PipeRequest& request);

// Result of a shared load whose last of `wavefronts` starts at `last_start`:
//   latency of the width + (wavefronts - fewest) * (conflict latency + words * per word)
// from issue on an idle SM, of which the pipe's own spacing of wavefronts is already in last_start.
[[nodiscard]] double shared_arrival(const MemoryCosts& costs, int words, int wavefronts, double last_start);

}  // namespace gpumodel::sim
