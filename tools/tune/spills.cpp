#include "tools/tune/spills.h"

#include <fmt/format.h>

#include <limits>

#include "traces/kernel/compiler/registers.h"

namespace gpumodel::cli::tuning {

std::string spill_reason(const PredictionJob& job, const ArchSpec& arch) {
    const auto& family = *find_family(job.kernel);
    if (!family.generated) {
        return "";  // a compiler's code says what it spills
    }
    const auto params = resolve_params(family, job.params);
    auto target = target_of(arch);
    const int allowed = target.max_registers_per_thread;
    target.max_registers_per_thread = std::numeric_limits<int>::max();
    const ProblemShape shape{job.m.value_or(family.default_shape.m), job.n.value_or(family.default_shape.n),
                             job.k.value_or(family.default_shape.k)};
    const int asked = estimate_registers(family.lower(params, shape, target).code, target);
    return asked <= allowed
               ? ""
               : fmt::format("{} registers per thread asked, {} allowed: spills are not modelled", asked,
                             allowed);
}

}  // namespace gpumodel::cli::tuning
