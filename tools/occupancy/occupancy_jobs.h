// gpumodel occupancy --jobs: many launches from a csv file with the columns threads, registers, shared.
#pragma once

#include <string>

#include "arch_specs/arch_spec.h"
#include "model/launch/occupancy.h"
#include "tools/cli/command.h"

namespace gpumodel::cli {

// `base` gives what a row does not state (barriers, carve-out). The input columns, further ones too, are
// echoed, then come blocks_per_sm, limiter, occupancy. Throws InputError (usage) with every malformed row.
[[nodiscard]] std::string run_occupancy_jobs(const std::string& path, const ArchSpec& arch,
                                             const OccupancyRequest& base, Format format);

}  // namespace gpumodel::cli
