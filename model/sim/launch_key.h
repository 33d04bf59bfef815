// A launch as the cycle-level run sees it, in one number: launches with the same key on the same machine have
// the same run, whatever their parameters are called.
#pragma once

#include <string>

#include "model/launch/waves.h"
#include "model/memory/traffic.h"
#include "model/sim/memory/access_table.h"

namespace gpumodel::sim {

// `traffic`: of the analytic averages, before the replay. Evaluates the table's patterns of all blocks.
[[nodiscard]] std::string launch_key(const KernelProgram& program, const DecodedProgram& decoded,
                                     AccessTable& table, const Waves& waves, const Traffic& traffic,
                                     std::int64_t l1_bytes, double sm_hz);

}  // namespace gpumodel::sim
