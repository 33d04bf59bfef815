#include "tools/explore/explored_launch.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <stdexcept>

#include "tools/explore/demanded_value.h"
#include "tools/views/prediction/shared_rows.h"

namespace gpumodel::cli {
namespace {

struct Lowered {
    LaunchProgram launch;
    ParamValues params;
};

// Takes over what the rules demand of the parameters that follow, one after the other.
Lowered lower_following(const ExploreKernel& kernel, ParamValues params, const ProblemShape& shape,
                        const ArchSpec& spec) {
    const auto& family = *kernel.family.family;
    const auto refusal = kernel.family.grid.refusal(params);
    if (!refusal.empty()) {
        return {infeasible_launch(spec.name, family, params, shape, refusal), params};
    }
    auto launch = lower_resolved(family, params, shape, spec, kernel.resources);
    for (std::size_t tries = 0; !launch.program && tries < kernel.following.size(); ++tries) {
        const auto demanded = demanded_value(launch.infeasible.reason);
        const bool follows = demanded && std::find(kernel.following.begin(), kernel.following.end(),
                                                   demanded->first) != kernel.following.end();
        const auto allowed =
            std::find_if(family.params.begin(), family.params.end(), [&](const ParamSpec& spec_of) {
                return follows && spec_of.name == demanded->first && demanded->second >= spec_of.min &&
                       demanded->second <= spec_of.max;
            });
        if (allowed == family.params.end()) {
            break;
        }
        params[demanded->first] = demanded->second;
        launch = lower_resolved(family, params, shape, spec, kernel.resources);
    }
    return {std::move(launch), std::move(params)};
}

ExploredTime time_of(Prediction&& p) {
    ExploredTime time;
    time.seconds = p.time_seconds;
    time.cycles = p.cycles;
    time.launch_seconds = p.terms.launch_seconds;
    time.sm_hz = p.sm_hz;
    time.peak_flops = p.peak_flops;
    time.achieved_occupancy = p.achieved_occupancy;
    time.error_band_pct = p.error_band_pct;
    time.bounds = std::move(p.bounds);
    time.bottlenecks = std::move(p.bottlenecks);
    return time;
}

void take_common(const Prediction& p, ExploredLaunch& result) {
    result.resources = p.resources;
    result.occupancy = p.occupancy;
    result.waves = p.waves;
    result.grid = p.grid;
    result.flops = p.flops;
    result.effective_bytes = p.effective_bytes;
    result.peak_unit = p.peak_unit;
    result.program = program_words(p);
}

}  // namespace

ExploredLaunch explored_launch(const ExplorePlan& plan, const ExplorePlace& place) {
    const auto& kernel = plan.kernels[place.kernel];
    const auto& gpu = plan.gpus[place.gpu];
    const auto job = kernel.family.grid.job(place.point);
    auto params = params_of(kernel.family, job);
    // programs do not depend on the clock
    const auto lowered = lower_following(kernel, std::move(params), {*job.m, *job.n, *job.k}, gpu.spec());
    ExploredLaunch result;
    for (const auto& name : kernel.following) {
        result.followed.push_back(lowered.params.at(name));
    }
    PredictSettings settings;
    settings.models = ModelChoice::analytic;
    settings.detail = Detail::figures;
    for (const auto& clock : gpu.clocks) {
        auto p = predict_launch(lowered.launch, clock.spec, settings).front();
        if (!is_predicted(p.status)) {
            if (!result.times.empty()) {
                throw std::logic_error("a launch is refused at one clock only");
            }
            result.refused = fmt::format("{}: {}", to_string(p.status), p.reason);
            return result;
        }
        if (result.times.empty()) {
            take_common(p, result);
        }
        result.times.push_back(time_of(std::move(p)));
    }
    result.shared = page::shared_accesses(*lowered.launch.program, gpu.spec());
    return result;
}

}  // namespace gpumodel::cli
