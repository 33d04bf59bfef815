// What a block-wide barrier costs: one book for the analytic model, the simulator and the calibration.
//
//   release of a block of n warps that arrive together = latency + (n - 1) * arrival
// The SM counts one warp's arrival after the other, 32 threads at sm.barrier.throughput (H200
// microbenchmarks: exact for 1 to 32 warps).
//
// A release takes the pipe of shared memory for four cycles on the H200, whatever the number of warps
// (validate/data/h200_sxm_block_work.csv, steps_*: 3.7 to 4.2 where blocks of two to eight warps fill the
// SM).
//
// Units: SM cycles from the first arrival. Ignored: arrivals of other blocks, which the simulator plays out.
#pragma once

#include "arch_specs/arch_spec.h"

namespace gpumodel {

struct BarrierCosts {
    double latency = 0;    // from the last arrival counted
    double arrival = 0;    // between two warps' arrivals
    double data_pipe = 0;  // that a release takes from shared memory's accesses

    [[nodiscard]] double release_cycles(double warps) const { return latency + (warps - 1) * arrival; }
};

[[nodiscard]] inline BarrierCosts barrier_costs(const Sm& sm) {
    return {sm.barrier.latency_cycles, sm.warp_size / sm.barrier.threads_per_cycle,
            sm.barrier.data_pipe_cycles.value_or(0)};
}

}  // namespace gpumodel
