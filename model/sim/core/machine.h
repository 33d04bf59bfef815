// One SM as the simulator's inner loop needs it: the spec's values in cycles and small integers.
#pragma once

#include <array>
#include <cstdint>
#include <limits>

#include "arch_specs/arch_spec.h"
#include "model/memory/costs/group_product_costs.h"

namespace gpumodel::sim {

using Cycle = std::int64_t;
inline constexpr Cycle never = std::numeric_limits<Cycle>::max() / 4;

inline constexpr int max_schedulers = 8;
inline constexpr int max_warps_per_scheduler = 64;
inline constexpr int max_shared_units = 8;
inline constexpr int max_queued_products = 16;

// Of a cycle: intervals of slow classes need not be whole (6.1 cycles of an HMMA on the H200).
inline constexpr int pipe_ticks = 16;

// A pipe is made of units of `lanes_per_unit` lanes: one for each scheduler and, where the lanes do not
// divide evenly (Kepler's 192 for four schedulers), further ones that neighbouring schedulers share.
//   lanes_per_unit = largest power of two <= min(32, lanes / schedulers)
struct PipeUnits {
    int interval = 1;  // cycles that one warp instruction occupies a unit at the pipe's full rate
    int shared = 0;    // units beyond one per scheduler
};

// How one opcode class uses its pipe. A class of at most 3/4 of the pipe's rate also occupies the slow side
// of its scheduler's unit, which leaves the rest of the unit to others: IMAD beside FFMA (H200
// microbenchmarks: alternating the two costs one cycle each).
struct ClassTiming {
    bool known = false;
    std::uint8_t pipe = 0;
    std::uint16_t slow_interval = 0;  // in pipe_ticks; 0 = full rate
    std::int32_t latency = 0;
};

struct Machine {
    int schedulers = 4;
    int issue_interval = 1;
    bool conflicts_hold_scheduler = false;
    int dispatch_units = 1;
    bool dual_issue = false;
    SchedulerPolicy policy = SchedulerPolicy::loose_round_robin;
    bool rotates_blocks = false;
    int branch_latency = 0;
    int branch_run_ahead = 0;  // 0 = a branch is on its way from its issue on
    int branch_latency_least = 0;
    int reconvergence = 0, indirect_branch = 0;  // beyond the delay or the branch
    int barrier_latency = 0;
    int shared_latency = 0;     // of a 32-bit load
    double arrival_cycles = 0;  // between two warps' arrivals at barriers, SM-wide
    int memory_queue_depth = std::numeric_limits<int>::max();
    // A warp that exits keeps its place until its stores are in the store buffer: where the spec has one (its
    // size is measured on the H200, estimated elsewhere).
    bool waits_for_stores = false;
    int load_release = 0, store_release = 0, store_release_per_word = 0;
    GroupProductCosts products;
    std::array<PipeUnits, pipe_count> pipes{};
    std::array<ClassTiming, op_class_count> classes{};
};

[[nodiscard]] Machine make_machine(const ArchSpec& arch);

}  // namespace gpumodel::sim
