// What a block-wide barrier costs: one book for the analytic model, the simulator and the calibration.
//
//   release of a block of n warps that arrive together = latency + (n - 1) * arrival
// The SM counts one warp's arrival after the other, 32 threads at sm.barrier.throughput (H200
// microbenchmarks: exact for 1 to 32 warps).
//
// Units: SM cycles from the first arrival. Ignored: arrivals of other blocks, which the simulator plays out.
#pragma once

#include "arch_specs/arch_spec.h"

namespace gpumodel {

struct BarrierCosts {
    double latency = 0;  // from the last arrival counted
    double arrival = 0;  // between two warps' arrivals

    [[nodiscard]] double release_cycles(double warps) const { return latency + (warps - 1) * arrival; }
};

[[nodiscard]] inline BarrierCosts barrier_costs(const Sm& sm) {
    return {sm.barrier.latency_cycles, sm.warp_size / sm.barrier.threads_per_cycle};
}

}  // namespace gpumodel
