// The bottleneck by what lifting units saves: it is what explain() says, and what the program was made to
// wait for.
#include "model/explain/bottleneck.h"

#include <algorithm>
#include <catch2/catch.hpp>

#include "model/analytic/demand.h"
#include "model/explain/explain.h"
#include "model/explain/limiters.h"
#include "model/sim/predict_simulated.h"
#include "tests/support/micro.h"
#include "traces/codegen/make_program.h"

using namespace gpumodel;
using namespace gpumodel::micro;

namespace {

Prediction named(const KernelProgram& program, const ArchSpec& spec) {
    auto p = predict_simulated(program, spec);
    REQUIRE(p.status == Status::ok);
    name_bottleneck(program, spec, {}, p);
    return p;
}

KernelProgram family(const std::string& name, const ArchSpec& spec, const ProblemShape& shape) {
    const auto* found = find_family(name);
    REQUIRE(found != nullptr);
    auto made = make_program(*found, resolve_params(*found, {}), shape, target_of(spec));
    REQUIRE(made.program);
    return *made.program;
}

}  // namespace

TEST_CASE("what a kernel was made to wait for is its bottleneck", "[explain]") {
    const auto v100 = arch("v100_sxm2");
    const auto strided = named(family("stride_copy", v100, {2048, 2048, 1}), v100);
    CHECK(strided.bottlenecks == std::vector<std::string>{"DRAM"});
    CHECK(strided.unit_gains->front().saved_pct > 50);
    const auto conflicts = named(family("transpose_shared", v100, {1024, 1024, 1}), v100);
    CHECK(conflicts.bottleneck_words.find("busiest unit") != std::string::npos);
    // four warps of products that each wait for the one before
    std::vector<Instruction> code(64, ffma(8, 1, 2, 8));
    code.push_back(branch());
    auto chain = looped(code, 2000, 4);
    static_cast<void>(chain.mnemonics.intern("FFMA"));
    const auto waits = named(chain, v100);
    CHECK(waits.bottlenecks == std::vector<std::string>{"latency"});
    CHECK(waits.unit_gains->front().saved_pct > 50);
}

// One pipe in the SM, called by what the launch uses it for.
TEST_CASE("the data pipe is L1's for launches that leave shared memory alone", "[explain]") {
    const auto h200 = arch("h200_sxm");
    const auto is_listed = [](const Prediction& p, std::string_view name) {
        return std::any_of(p.bounds.begin(), p.bounds.end(), [&](const Bound& b) { return b.name == name; });
    };
    const auto naive = named(family("naive", h200, {512, 512, 64}), h200);
    CHECK(naive.bottlenecks == std::vector<std::string>{"L1 data pipe"});
    CHECK_FALSE(is_listed(naive, "shared memory"));
    const auto smem = named(family("smem", h200, {512, 512, 512}), h200);
    CHECK(smem.bottlenecks == std::vector<std::string>{"shared memory"});
    CHECK_FALSE(is_listed(smem, "L1 data pipe"));
    REQUIRE(unit_named("L1 data pipe") != nullptr);
    CHECK(unit_named("L1 data pipe")->resource == Resource::shared);
    CHECK(unit_named("latency") == nullptr);
}

TEST_CASE("bottleneck and explain tell one story, and lifting a limit never costs time", "[explain]") {
    const auto& name = GENERATE(as<std::string>{}, "k40", "v100_sxm2", "a100_sxm4_40gb", "h200_sxm");
    const auto spec = arch(name);
    for (const auto* kernel :
         {"naive", "smem", "blocktile1d", "warptile", "cublas_sgemm", "transpose_shared"}) {
        const bool product = std::string(kernel).find("transpose") == std::string::npos;
        const auto program = family(kernel, spec, {512, 512, product ? 64 : 1});
        const auto p = named(program, spec);
        const auto rows = explain(program, spec, {}, {p.cycles, p.time_seconds});
        INFO(name << " " << kernel << ": " << p.bottleneck_words);
        double most = 100 * spec.launch.overhead_seconds / p.time_seconds;
        for (const auto& row : rows) {
            INFO(row.name << " saves " << row.saved_pct << " %");
            CHECK((row.status != ExplainStatus::ok || row.saved_pct >= 0));
            const auto limiter = std::find_if(limiters().begin(), limiters().end(),
                                              [&](const Limiter& l) { return l.name == row.name; });
            if (limiter != limiters().end() && limiter->unit != nullptr && row.status == ExplainStatus::ok) {
                most = std::max(most, row.saved_pct);
            }
        }
        REQUIRE_FALSE(p.unit_gains->empty());
        // units that are busy for less than a tenth of the time are not tried
        CHECK(p.unit_gains->front().saved_pct == Approx(most).margin(0.5));
    }
}
