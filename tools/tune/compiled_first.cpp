#include "tools/tune/compiled_first.h"

#include <algorithm>

#include "tools/launch/code_options.h"

namespace gpumodel::cli::tuning {

bool has_code(const PredictionJob& job, const ArchSpec& arch, const ProgramProvider& provider) {
    const auto& family = *find_family(job.kernel);
    return provider.has_code(family, resolve_params(family, job.params), target_of(arch));
}

std::vector<std::shared_ptr<const ProgramProvider>> compiled_code_of(const std::vector<PredictionJob>& jobs,
                                                                     std::size_t competing,
                                                                     const ArchSpec& arch,
                                                                     const SearchSettings& settings) {
    if (!settings.code_kept || !settings.code_of_best) {
        return {};
    }
    std::vector<std::shared_ptr<const ProgramProvider>> code(jobs.size());
    const auto first = std::min(competing, most_compiled);
    std::size_t kept = 0;  // of the first
    for (std::size_t i = 0; i < jobs.size(); ++i) {
        if (has_code(jobs[i], arch, *settings.code_kept)) {
            code[i] = settings.code_kept;
            kept += i < first ? 1U : 0U;
        }
    }
    if (2 * kept < first) {
        return {};
    }
    std::size_t asked = 0;
    for (std::size_t i = 0; i < jobs.size(); ++i) {
        if (!code[i] && (i >= competing || asked++ < most_compiled)) {
            code[i] = settings.code_of_best;
        }
    }
    return code;
}

}  // namespace gpumodel::cli::tuning
