#include "model/sim/sim_counters.h"

#include <algorithm>

namespace gpumodel {
namespace {

void set(std::vector<Counter>& counters, const std::string& name, double value) {
    const auto found =
        std::find_if(counters.begin(), counters.end(), [&name](const Counter& c) { return c.name == name; });
    if (found != counters.end()) {
        found->value = value;
    }
}

}  // namespace

std::vector<Counter> simulated_counters(const SimResult& run, const ArchSpec& arch,
                                        const Prediction& prediction) {
    auto counters = prediction.counters;
    set(counters, "gpu__time_duration.sum", run.cycles / arch.clock.sm_hz * 1e9);
    return counters;
}

}  // namespace gpumodel
