#include "model/sim/sustained_clock.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace gpumodel {
namespace {

double burst_clock(const KernelProgram& program, const ArchSpec& arch, L2State l2) {
    ArchSpec burst = arch;
    burst.clock.sustained = false;
    return describe_launch(program, burst, l2, Detail::figures).common.sm_hz;
}

}  // namespace

Prediction hold_power(const KernelProgram& program, const ArchSpec& arch, const SimOptions& options,
                      Detail detail, Prediction first) {
    constexpr int most_runs = 3;
    constexpr double close = 0.01, lowest = 0.15;
    Prediction p = std::move(first);
    if (!arch.clock.sustained || !is_predicted(p.status) || !p.average_watts) {
        return p;
    }
    const double limit = *arch.power.limit_watts, idle = *arch.power.idle_watts;
    const double burst = burst_clock(program, arch, options.l2);
    double slope = 1.5;  // of power above idle over the clock, both as logarithms
    for (int run = 0; run < most_runs; ++run) {
        const double watts = *p.average_watts;
        if (std::abs(watts / limit - 1) < close || (watts < limit && p.sm_hz >= burst)) {
            break;
        }
        const double hz =
            std::clamp(p.sm_hz * std::pow((limit - idle) / (watts - idle), 1 / slope), lowest * burst, burst);
        auto next = predict_simulated(describe_launch_at(program, arch, hz, options.l2, detail), options);
        if (!is_predicted(next.status) || next.sm_hz == p.sm_hz) {
            break;
        }
        slope = std::clamp(
            std::log((*next.average_watts - idle) / (watts - idle)) / std::log(next.sm_hz / p.sm_hz), 0.5,
            3.0);
        p = std::move(next);
    }
    return p;
}

}  // namespace gpumodel
