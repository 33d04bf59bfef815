// What products of a warp group (HGMMA ...) cost: one book for the analytic model and the simulator.
//
//   a group's four sub-partitions work on an instruction of N columns for
//     max(N / 8 * interval, (A + B) / shared bandwidth)        A: 64 rows of 32 bytes where it lies in shared
//                                                              memory, B: N columns of 32 bytes
//   `register_gap` later its group's next begins where A is in registers; other groups' fill the gap
//   N / 8 * interval + `drain` after the begin of the last one a wait for it is over, also where the bytes of
//   shared memory set the pace of the next
// Ignored: what the products take of shared memory's cycles from others, the arrival of a group's four warps
// one after the other.
//
// Units: SM cycles. Source: H200 microbenchmarks (validate/data/h200_sxm_tensor_micro.csv), all types alike.
#pragma once

#include <algorithm>

#include "arch_specs/arch_spec.h"
#include "traces/kernel_program.h"

namespace gpumodel {

struct GroupProductCosts {
    static constexpr double columns_at_once = 8;
    double eight_columns = 0;  // 0: the GPU has no such products
    double bytes_per_cycle = 1;
    double register_gap = 0;
    double drain = 0;
    int queued = 1;  // products that a sub-partition takes before the first has begun

    // From its begin to the end of a wait for it.
    [[nodiscard]] double latency(const GroupProduct& product) const {
        return product.columns / columns_at_once * eight_columns + drain;
    }
    // How long a sub-partition's tensor pipe works on it; 0 for what is no product.
    [[nodiscard]] double cycles(const GroupProduct& product) const {
        if (product.columns == 0) {
            return 0;
        }
        constexpr double rows = 64, row_bytes = 32;
        const double bytes = row_bytes * (product.columns + (product.a_in_registers ? 0 : rows));
        return std::max(product.columns / columns_at_once * eight_columns, bytes / bytes_per_cycle);
    }
};

[[nodiscard]] inline GroupProductCosts group_product_costs(const ArchSpec& arch) {
    GroupProductCosts costs;
    if (const auto& op = arch.op(OpClass::group_mma)) {
        costs.eight_columns = op->initiation_interval_cycles;
        costs.bytes_per_cycle = arch.sm.shared_memory.bandwidth_bytes_per_cycle;
        costs.register_gap = arch.sm.group_products.register_gap_cycles.value_or(0);
        costs.drain = op->latency_cycles;
        costs.queued = arch.sm.group_products.queued.value_or(1);
    }
    return costs;
}

// Of a sub-partition's tensor pipe, for the products that one warp of the segment asks for in one execution:
// their columns are not in its counts.
[[nodiscard]] inline double group_product_cycles(const Segment& segment, const ArchSpec& arch) {
    if (segment.ops[static_cast<std::size_t>(OpClass::group_mma)] <= 0) {
        return 0;
    }
    const auto costs = group_product_costs(arch);
    double cycles = 0;
    for (const auto& in : segment.code) {
        cycles += costs.cycles(in.group);
    }
    return cycles;
}

// Until the last of those products is in the queue and its warp goes on, where nothing else keeps it; of
// `warps` of the block.
[[nodiscard]] inline double group_product_issue_cycles(const Segment& segment, double warps,
                                                       const ArchSpec& arch) {
    const auto costs = group_product_costs(arch);
    double longest = 0;
    for (const auto& in : segment.code) {
        longest = std::max(longest, costs.cycles(in.group));
    }
    const double all = group_product_cycles(segment, arch) * warps / arch.sm.sub_partitions;
    return std::max(0.0, all - costs.queued * longest);
}

}  // namespace gpumodel
