// Both models read one program: what follows from its instructions alone is one number.
#include <catch2/catch.hpp>
#include <optional>

#include "arch_specs/loader.h"
#include "model/analytic/predict.h"
#include "model/sim/predict_simulated.h"
#include "traces/codegen/make_program.h"

namespace gpumodel {
namespace {

std::optional<double> counter(const Prediction& prediction, const std::string& name) {
    for (const auto& c : prediction.counters) {
        if (c.name == name) {
            return c.value;
        }
    }
    return std::nullopt;
}

constexpr auto executed = "smsp__inst_executed.sum";
constexpr auto tensor_cycles = "sm__pipe_tensor_cycles_active.avg.pct_of_peak_sustained_active";

// Small enough to simulate in full, with edges where a family has them.
ProblemShape shape_of(const Family& family) {
    return {256, 256, family.default_shape.k == 32 ? 32 : 64};
}

}  // namespace

TEST_CASE("every family executes the same instructions in both models", "[counters]") {
    const std::string name = GENERATE("sm_35", "sm_70", "sm_86", "sm_90");
    const auto arch = load_arch(name);
    int families_seen = 0;
    for (const auto& family : generated_families()) {
        const auto made = make_program(family, resolve_params(family, {}), shape_of(family), target_of(arch));
        if (!made.program) {
            continue;
        }
        INFO(name << " " << family.name);
        const auto& program = *made.program;
        SimOptions options;
        options.exact = true;
        const auto run = simulate(program, arch, options);
        REQUIRE(run.status == SimStatus::ok);
        const auto launch = describe_launch(program, arch, L2State::warm);
        const auto analytic = predict_analytic(launch);
        const auto simulated = predict_simulated(launch, run);
        CHECK(counter(analytic, executed).value() == counter(simulated, executed).value());
        CHECK(counter(simulated, tensor_cycles).value() == 0);  // no generated code has matrix products
        // The simulated SM issued its blocks' part of them, instruction by instruction. Left out: blocks that
        // differ (variants), which may lie unevenly on the SMs, and operations on barriers in shared memory,
        // which are counted but not listed.
        if (program.variants.empty() && launch.counts.shared_barriers == 0) {
            const double part =
                static_cast<double>(run.waves.busiest_sm_blocks) / static_cast<double>(run.waves.blocks);
            CHECK(run.counters.instructions == Approx(counter(analytic, executed).value() * part));
        }
        ++families_seen;
    }
    CHECK(families_seen >= 24);
}

}  // namespace gpumodel
