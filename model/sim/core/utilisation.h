// How busy the parts of the simulated SM were, over its whole launch: each figure is work done over what the
// part can do in the run's cycles, as Nsight Compute's pct_of_peak_sustained_active.
//
//   pipe         warp instructions of its classes x 32 / (lanes x cycles)
//   data pipe    cycles it was occupied / cycles
//   L1 hit rate  sectors of loads that were there or under way / sectors of loads that look into L1
#pragma once

#include <optional>
#include <vector>

#include "arch_specs/arch_spec.h"
#include "model/sim/simulate.h"

namespace gpumodel {

struct PipeUse {
    Pipe pipe = Pipe::fma;
    double instructions = 0;
    double utilisation = 0;  // 0 ... 1
};

struct SmUse {
    std::vector<PipeUse> pipes;  // those that executed something, in enum order
    double data_pipe = 0;        // 0 ... 1
    std::optional<double> l1_hit_rate;
    double l2_read_bytes_per_cycle = 0;
    double l2_write_bytes_per_cycle = 0;
};

[[nodiscard]] SmUse sm_use(const SimResult& run, const ArchSpec& arch);

}  // namespace gpumodel
