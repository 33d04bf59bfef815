// One prediction to make: family, parameters and shape, checked as far as text goes.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "model/analytic/predict.h"
#include "traces/kernel/family.h"
#include "traces/kernel/registers.h"

namespace gpumodel::cli {

inline constexpr std::int64_t largest_dimension = 1 << 20;  // keeps every byte address below 2^63

struct PredictionJob {
    std::string kernel;
    ParamValues params;                   // as given
    std::optional<std::int64_t> m, n, k;  // empty: the family's default
};

// What holds for all jobs of a run.
struct JobSettings {
    std::optional<int> registers;             // --registers
    std::vector<ResourceEntry> resource_log;  // --resources-from
    std::string resource_file;
    PredictOptions predict;
};

// "BM=128" pairs to values; every malformed one is reported under `where` (an option name).
[[nodiscard]] ParamValues parse_params(const std::vector<std::string>& pairs, const std::string& where);

// What run_job would refuse without looking at the architecture: the kernel and its parameters.
void check_job(const PredictionJob& job);

// Lowers and predicts. Throws InputError (usage) for unknown kernels, parameters or sizes; a launch
// that breaks a rule comes back as status infeasible with the rule.
[[nodiscard]] Prediction run_job(const PredictionJob& job, const ArchSpec& arch, const JobSettings& settings);

// A program from elsewhere: its own resources unless the settings name others.
[[nodiscard]] Prediction run_program(KernelProgram program, const ArchSpec& arch,
                                     const JobSettings& settings);

}  // namespace gpumodel::cli
