// The stretch of a run that a timeline shows.
#pragma once

#include <optional>

#include "model/sim/simulate.h"
#include "tools/views/simulate/simulate_views.h"

namespace gpumodel::cli {

// Where a window of `cycles` in the steady part begins (SteadyStretch): simulates the launch.
[[nodiscard]] std::int64_t steady_start(const KernelProgram& program, const ArchSpec& arch,
                                        const SimOptions& options, std::int64_t cycles);

// What `recorder` heard of `run`.
[[nodiscard]] TimelineView timeline_view(const TimelineRecorder& recorder, const KernelProgram& program,
                                         const SimResult& run);

// Both, for those who want the picture alone; empty where the launch cannot be simulated.
[[nodiscard]] std::optional<TimelineView> steady_timeline(const KernelProgram& program, const ArchSpec& arch,
                                                          const SimOptions& options);

}  // namespace gpumodel::cli
