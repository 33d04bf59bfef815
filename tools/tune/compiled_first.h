// Where most of the best have a compiler's code already, kept in the cache or shipped, generated code need
// not rank them first: all of them are simulated by that code.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "tools/tune/search.h"

namespace gpumodel::cli::tuning {

// Whether `provider` has more than generated code of the job's program: compiled now where it compiles.
[[nodiscard]] bool has_code(const PredictionJob& job, const ArchSpec& arch, const ProgramProvider& provider);

// For each of `jobs`, of which the first `competing` compete in the order of the analytic model and the
// others are defaults, where its compiled program comes from: what is kept (`code_kept`), and of the rest the
// first most_compiled as `code_of_best` has them, which may compile; null = left out. Empty where less than
// half of the first most_compiled are kept, or where the settings name no such code.
[[nodiscard]] std::vector<std::shared_ptr<const ProgramProvider>> compiled_code_of(
    const std::vector<PredictionJob>& jobs, std::size_t competing, const ArchSpec& arch,
    const SearchSettings& settings);

}  // namespace gpumodel::cli::tuning
