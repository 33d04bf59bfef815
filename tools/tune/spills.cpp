#include "tools/tune/spills.h"

#include <fmt/format.h>

#include <limits>

namespace gpumodel::cli::tuning {

std::string spill_reason(const PredictionJob& job, const ArchSpec& arch) {
    const auto& family = *find_family(job.kernel);
    const auto params = resolve_params(family, job.params);
    auto target = target_of(arch);
    if (compiled_registers(family.name, params, target)) {
        return "";
    }
    const int allowed = target.max_registers_per_thread;
    target.max_registers_per_thread = std::numeric_limits<int>::max();
    const int asked = estimate_registers(register_demand(family.name, params), target);
    return asked <= allowed
               ? ""
               : fmt::format("{} registers per thread asked, {} allowed: spills are not modelled", asked,
                             allowed);
}

}  // namespace gpumodel::cli::tuning
