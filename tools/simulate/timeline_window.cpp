#include "tools/simulate/timeline_window.h"

#include <algorithm>

namespace gpumodel::cli {

std::int64_t steady_start(const KernelProgram& program, const ArchSpec& arch, const SimOptions& options,
                          std::int64_t cycles) {
    SteadyStretch stretch;
    auto changed = options;
    changed.listener = &stretch;
    (void)simulate(program, arch, changed);
    return stretch.from(cycles);
}

TimelineView timeline_view(const TimelineRecorder& recorder, const KernelProgram& program,
                           const SimResult& run) {
    const int warps =
        (program.resources.threads + 31) / 32 *
        static_cast<int>(std::min<std::int64_t>(run.waves.blocks_per_sm, run.waves.busiest_sm_blocks));
    return {recorder.window(), recorder.rows(), recorder.last_cycle(), warps};
}

std::optional<TimelineView> steady_timeline(const KernelProgram& program, const ArchSpec& arch,
                                            const SimOptions& options) {
    TimelineWindow window;
    window.from = steady_start(program, arch, options, window.cycles);
    TimelineRecorder recorder(window);
    auto changed = options;
    changed.listener = &recorder;
    const auto run = simulate(program, arch, changed);
    return run.status == SimStatus::ok ? std::optional(timeline_view(recorder, program, run)) : std::nullopt;
}

}  // namespace gpumodel::cli
