#include "tests/support/family_programs.h"

#include <catch2/catch.hpp>

#include "traces/codegen/make_program.h"

namespace gpumodel::test {

KernelProgram family_program(const std::string& name, const ArchSpec& arch, const ProblemShape& shape,
                             const ParamValues& params) {
    const auto* family = find_family(name);
    REQUIRE(family != nullptr);
    auto made = make_program(*family, resolve_params(*family, params), shape, target_of(arch));
    INFO(name << " on " << arch.name << ": " << made.infeasible_reason);
    REQUIRE(made.program.has_value());
    return *std::move(made.program);
}

}  // namespace gpumodel::test
