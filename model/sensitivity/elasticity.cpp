#include "model/sensitivity/elasticity.h"

#include <algorithm>
#include <cmath>

namespace gpumodel {
namespace {

double slope(const Observation& a, const Observation& b) {
    return std::log(b.seconds / a.seconds) / std::log(b.value / a.value);
}

// Two times that may each be off by their bound, in opposite directions.
double slope_error(const Observation& a, const Observation& b) {
    return (a.error_pct + b.error_pct) / 100 / std::abs(std::log(b.value / a.value));
}

bool disagree(double below, double above, double floor) {
    const double smaller = std::min(std::abs(below), std::abs(above));
    const double larger = std::max(std::abs(below), std::abs(above));
    return larger > floor && (below * above < 0 || larger > cliff_ratio * smaller);
}

}  // namespace

Elasticity elasticity_of(const Observation& base, const std::optional<Observation>& low,
                         const std::optional<Observation>& high) {
    Elasticity e;
    if (low) {
        e.below = slope(*low, base);
    }
    if (high) {
        e.above = slope(base, *high);
    }
    if (low && high) {
        e.value = slope(*low, *high);
        e.resolution = slope_error(*low, *high);
        const double open = std::max(slope_error(*low, base), slope_error(base, *high));
        e.cliff = disagree(*e.below, *e.above, std::max(cliff_floor, open));
    } else if (low || high) {
        e.value = low ? e.below : e.above;
        e.resolution = slope_error(base, low ? *low : *high);
    }
    return e;
}

}  // namespace gpumodel
