// The launch of a study and its time by both models on a variant of the GPU. The code is fixed: a study asks
// what the same instructions would take.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "arch_specs/arch_spec.h"
#include "model/sim/simulate.h"
#include "traces/provide/program_provider.h"

namespace gpumodel {

// Where a program came from, so that its parameters can be varied.
struct FamilyLaunch {
    const Family* family = nullptr;
    ParamValues params;  // resolved
    ProblemShape shape;
};

struct StudiedLaunch {
    KernelProgram program;
    std::optional<FamilyLaunch> family;               // empty for listings and traces
    ResourceChoice set_resources;                     // of a varied program; may be empty
    std::shared_ptr<const ProgramProvider> provider;  // of varied programs; null: generated
};

// How a launch is timed, and its variants are.
struct StudyOptions {
    double step = 0.1;  // relative
    bool simulate = true;
    SimOptions simulation;  // its L2 state holds for both models
    // Runs work(0) ... work(count - 1) in any order; results are the same.
    std::function<void(std::size_t count, const std::function<void(std::size_t)>& work)> for_each;
};

struct LaunchTime {
    std::optional<double> analytic_seconds;
    std::optional<double> simulated_seconds;
    double error_bound_pct = 0;  // of the simulated time, by extrapolation
    std::string reason;          // why a time is missing

    // The simulator's where the study simulates, else the analytic model's.
    [[nodiscard]] std::optional<double> seconds(bool simulated) const {
        return simulated ? simulated_seconds : analytic_seconds;
    }
};

// Never throws for what a model refuses: `reason` says it.
[[nodiscard]] LaunchTime time_launch(const KernelProgram& program, const ArchSpec& arch,
                                     const StudyOptions& options);

// `reason` of the simulator's dumps may have many parts: the first.
[[nodiscard]] std::string first_part(const std::string& reason);

}  // namespace gpumodel
