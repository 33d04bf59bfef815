#include "tests/support/family_programs.h"

#include <catch2/catch.hpp>

#include "traces/codegen/generate.h"

namespace gpumodel::test {

KernelProgram family_program(const std::string& name, const ArchSpec& arch, const ProblemShape& shape,
                             const ParamValues& params) {
    const auto* family = find_family(name);
    REQUIRE(family != nullptr);
    const auto target = target_of(arch);
    const auto lowered = make_program(*family, resolve_params(*family, params), shape, target);
    INFO(name << " on " << arch.name << ": " << lowered.infeasible_reason);
    REQUIRE(lowered.program.has_value());
    return generate_code(*lowered.program, target);
}

}  // namespace gpumodel::test
