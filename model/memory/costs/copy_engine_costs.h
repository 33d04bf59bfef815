// What the copy engine of one SM costs (sm_90 on): bulk copies (UBLKCP, UBLKRED) and tensor copies (UTMALDG,
// UTMASTG) go through it in the order of their issue, past the memory queues and the data pipe. One book for
// the analytic model and the simulator.
//
//   a copy issued at t begins at  start = max(t, begin of the one before + interval)
//   each of its pieces is asked of L2 at  max(start, the piece before + its bytes / bandwidth of its kind)
//   and arrives at its barrier `latency_saved` earlier than a load's data would be in a register
// Ignored: what its writes take of shared memory's cycles; the first use of a tensor map in a launch.
//
// Units: SM cycles, bytes. Source: sm.copy_engine of the spec.
#pragma once

#include <limits>

#include "arch_specs/arch_spec.h"
#include "traces/instruction.h"

namespace gpumodel {

struct CopyEngineCosts {
    double bulk_bytes_per_cycle = std::numeric_limits<double>::infinity();
    double tensor_bytes_per_cycle = std::numeric_limits<double>::infinity();
    double interval = 0;
    double latency_saved = 0;

    [[nodiscard]] double cycles(double bytes, CopyUnit unit) const {
        return bytes / (unit == CopyUnit::tensor ? tensor_bytes_per_cycle : bulk_bytes_per_cycle);
    }
};

[[nodiscard]] inline CopyEngineCosts copy_engine_costs(const ArchSpec& arch) {
    const auto& engine = arch.sm.copy_engine;
    CopyEngineCosts costs;
    costs.bulk_bytes_per_cycle = engine.bulk_bytes_per_cycle.value_or(costs.bulk_bytes_per_cycle);
    costs.tensor_bytes_per_cycle = engine.tensor_bytes_per_cycle.value_or(costs.tensor_bytes_per_cycle);
    costs.interval = engine.interval_cycles.value_or(0);
    costs.latency_saved = engine.latency_saved_cycles.value_or(0);
    return costs;
}

}  // namespace gpumodel
