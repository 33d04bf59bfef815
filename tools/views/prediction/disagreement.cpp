#include "tools/views/prediction/disagreement.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "model/sim/stalls.h"

namespace gpumodel {
namespace {

// The largest bound that holds whatever the order of instructions is.
const Bound* throughput_bound(const Prediction& p) {
    const auto found = std::find_if(p.bounds.begin(), p.bounds.end(), [](const Bound& b) {
        return b.name != "latency" && b.name != "barriers" && b.name != "launch";
    });
    return found == p.bounds.end() ? nullptr : &*found;
}

std::string check_of(const SimulationReport& run) {
    return run.extrapolated() ? "; --exact checks its extrapolation" : "";
}

}  // namespace

void note_disagreement(Prediction& simulated, const Prediction& analytic) {
    if (is_predicted(simulated.status) && is_predicted(analytic.status) && simulated.time_seconds > 0) {
        simulated.model_disagreement_pct = 100 * (analytic.time_seconds / simulated.time_seconds - 1);
    }
}

std::string disagreement_words(const Prediction& simulated) {
    if (!simulated.model_disagreement_pct || !simulated.simulation ||
        std::abs(*simulated.model_disagreement_pct) <= notable_disagreement_pct) {
        return "";
    }
    constexpr double tolerance = 0.98;
    const auto* bound = throughput_bound(simulated);
    if (bound != nullptr && simulated.cycles < tolerance * bound->cycles) {
        return fmt::format("distrust the simulator: it is below the bound of the {}{}", bound->name,
                           check_of(*simulated.simulation));
    }
    const auto waits = ranked_waits(*simulated.simulation);
    const auto main = waits.empty() ? std::string("none")
                                    : fmt::format("{}, {:.0f} % of warp cycles",
                                                  to_string(waits.front().reason), waits.front().share_pct);
    return fmt::format("distrust the analytic model: it {} the waits that the simulator follows (most: {}){}",
                       *simulated.model_disagreement_pct < 0 ? "misses part of" : "adds up", main,
                       check_of(*simulated.simulation));
}

}  // namespace gpumodel
