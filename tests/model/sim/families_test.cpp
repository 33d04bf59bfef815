// The kernel families, as generated code: extrapolated runs against exact ones, counts against the tile
// arithmetic.
#include <catch2/catch.hpp>

#include "micro.h"
#include "traces/codegen/generate.h"
#include "traces/kernel/family.h"

using namespace gpumodel;
using namespace gpumodel::micro;

namespace {

KernelProgram generated(const std::string& name, const ProblemShape& shape, const ArchSpec& spec) {
    const auto* family = find_family(name);
    REQUIRE(family != nullptr);
    const auto target = target_of(spec);
    const auto lowered = make_program(*family, resolve_params(*family, {}), shape, target);
    INFO(name << ": " << lowered.infeasible_reason);
    REQUIRE(lowered.program.has_value());
    return generate_code(*lowered.program, target);
}

}  // namespace

TEST_CASE("extrapolated runs of the families are within 1 % of exact ones", "[sim][families]") {
    for (const auto* arch_name : {"k40", "v100_sxm2", "h200_sxm"}) {
        const auto spec = arch(arch_name);
        // a few blocks of 128 x 128 on each SM
        const std::int64_t n = 128 * spec.sm_count / 5 / 128 * 128 + 128;
        for (const auto* name :
             {"smem", "blocktile1d", "blocktile2d", "vectorized", "warptile", "doublebuffer"}) {
            const auto program = generated(name, {1920, n, 768}, spec);
            const auto fast = simulate(program, spec);
            SimOptions options;
            options.exact = true;
            const auto exact = simulate(program, spec, options);
            INFO(arch_name << " " << name << " trips " << fast.extrapolation.simulated_trips << " of "
                           << fast.extrapolation.trips << ", blocks " << fast.extrapolation.simulated_blocks
                           << " of " << fast.extrapolation.blocks);
            REQUIRE(exact.status == SimStatus::ok);
            CHECK_FALSE(exact.extrapolation.any());
            CHECK(fast.cycles == Approx(exact.cycles).epsilon(0.01));
            CHECK(fast.counters.instructions == Approx(exact.counters.instructions).epsilon(0.01));
        }
    }
}
