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

// Clocks known to draw less and more than the limit; between them what a clock draws need not rise evenly, as
// a launch may fall into another deal of its blocks.
struct Bracket {
    double less = 0, more = 0;
    [[nodiscard]] double inside(double hz) const {
        const bool known = less > 0 && more > 0;
        return known && (hz <= less || hz >= more) ? std::sqrt(less * more) : hz;
    }
    void note(double hz, bool draws_more) { (draws_more ? more : less) = hz; }
};

}  // namespace

Prediction hold_power(const KernelProgram& program, const ArchSpec& arch, const SimOptions& options,
                      Detail detail, Prediction first) {
    constexpr int most_runs = 6;
    constexpr double close = 0.01, lowest = 0.15;
    Prediction p = std::move(first);
    if (!arch.clock.sustained || !is_predicted(p.status) || !p.average_watts) {
        return p;
    }
    const double limit = *arch.power.limit_watts, idle = *arch.power.idle_watts;
    const double burst = burst_clock(program, arch, options.l2);
    const auto off = [limit](const Prediction& q) { return std::abs(*q.average_watts / limit - 1); };
    double slope = 1.5;  // of power above idle over the clock, both as logarithms
    Bracket bracket;
    Prediction nearest = p;
    for (int run = 0; run < most_runs; ++run) {
        const double watts = *p.average_watts;
        if (off(p) < close || (watts < limit && p.sm_hz >= burst)) {
            return p;
        }
        bracket.note(p.sm_hz, watts > limit);
        const double wanted =
            std::clamp(p.sm_hz * std::pow((limit - idle) / (watts - idle), 1 / slope), lowest * burst, burst);
        const double hz = bracket.inside(wanted);
        auto next = predict_simulated(describe_launch_at(program, arch, hz, options.l2, detail), options);
        if (!is_predicted(next.status) || next.sm_hz == p.sm_hz) {
            break;
        }
        slope = std::clamp(
            std::log((*next.average_watts - idle) / (watts - idle)) / std::log(next.sm_hz / p.sm_hz), 0.5,
            3.0);
        p = std::move(next);
        if (off(p) < off(nearest)) {
            nearest = p;
        }
    }
    return nearest;
}

}  // namespace gpumodel
