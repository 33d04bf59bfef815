// One launch to predict, from a family with parameters and shape to the models' predictions.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/diagnostics.h"
#include "model/sim/predict_simulated.h"
#include "traces/kernel/family.h"
#include "traces/kernel/resource_log/resource_log.h"
#include "traces/provide/program_provider.h"

namespace gpumodel::cli {

inline constexpr std::int64_t largest_dimension = 1 << 20;  // keeps every byte address below 2^63

struct PredictionJob {
    std::string kernel;
    ParamValues params;                   // as given
    std::optional<std::int64_t> m, n, k;  // empty: the family's default
};

// What a launch takes from elsewhere than its family: --registers, --resources-from, and compiled code.
struct LaunchResources {
    std::shared_ptr<const ProgramProvider> provider;  // null: generated code
    std::optional<int> registers;
    std::vector<ResourceEntry> log;
    std::string file;  // of the log
};

// The program of one launch, or why there is none.
struct LaunchProgram {
    std::optional<KernelProgram> program;
    Prediction infeasible;  // without a program: status, reason and what was asked for
};

enum class ModelChoice : unsigned char { simulate, analytic, both };

// What holds for all predictions of a run.
struct PredictSettings {
    ModelChoice models = ModelChoice::both;
    SimOptions simulate;  // its L2 state holds for both models
    LaunchResources resources;
    // The simulator's bottleneck by what lifting units saves (model/explain/bottleneck.h): a few more runs.
    bool names_bottleneck = false;
    Detail detail = Detail::report;
};

[[nodiscard]] std::vector<std::string> family_names();
// Throws InputError (usage) for an unknown one; `option` is where the name was given, "" for a plain
// argument.
[[nodiscard]] const Family& require_family(const std::string& name, const std::string& option);

// "BM=128" pairs to values; every malformed one is reported under `where` (an option name).
[[nodiscard]] ParamValues parse_params(const std::vector<std::string>& pairs, const std::string& where);

// What lower_job would refuse without looking at the architecture: the kernel and its parameters.
void check_job(const PredictionJob& job);

// A program's own resources unless the settings name others.
void apply_resources(const LaunchResources& asked, const ArchSpec& arch, KernelProgram& program);

// The family's program. Throws InputError (usage) for unknown kernels, parameters or sizes; a
// launch that breaks a rule has no program, status infeasible and the rule.
[[nodiscard]] LaunchProgram lower_job(const PredictionJob& job, const ArchSpec& arch,
                                      const LaunchResources& resources);

// The same for a family whose parameters are all resolved and in range, and a shape in range.
[[nodiscard]] LaunchProgram lower_resolved(const Family& family, const ParamValues& params,
                                           const ProblemShape& shape, const ArchSpec& arch,
                                           const LaunchResources& resources);

// A launch without a program; `arch` is the product's name.
[[nodiscard]] LaunchProgram infeasible_launch(const std::string& arch, const Family& family,
                                              const ParamValues& params, const ProblemShape& shape,
                                              const std::string& reason);

// One prediction per model, the simulator's first. What a model refuses becomes status error with the reason,
// so that the other one is still heard.
[[nodiscard]] std::vector<Prediction> predict_launch(const LaunchProgram& launch, const ArchSpec& arch,
                                                     const PredictSettings& settings);

// `fault` once per model of the choice, simulate first.
[[nodiscard]] std::vector<Prediction> for_each_model(Prediction fault, ModelChoice models);

// "what; what": all diagnostics of an error in one line, without the file (a job's row says where).
[[nodiscard]] std::string joined_diagnostics(const InputError& error);

}  // namespace gpumodel::cli
