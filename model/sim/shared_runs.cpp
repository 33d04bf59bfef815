#include "model/sim/shared_runs.h"

namespace gpumodel {
namespace {

// A glance and a run are different questions about the same launch.
std::string question(const std::string& key, const RunLimit& limit) {
    return key + (limit.glance ? " glance" : "");
}

}  // namespace

std::optional<LaunchRun> SharedRuns::find(const std::string& key, const RunLimit& limit) const {
    const auto known = runs_.find(question(key, limit));
    const bool serves = known != nullptr && (!known->run.stopped || limit.glance ||
                                             limit.most_seconds <= known->limit.most_seconds);
    return serves ? std::optional(known->run) : std::nullopt;
}

void SharedRuns::add(const std::string& key, const RunLimit& limit, const LaunchRun& run) {
    if (run.stopped || run.result.status == SimStatus::ok) {
        runs_.add(question(key, limit), {limit, run}, 1 + run.result.instructions.size());
    }
}

}  // namespace gpumodel
