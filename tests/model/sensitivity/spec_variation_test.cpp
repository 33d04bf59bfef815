// Which neighbouring values a spec allows.
#include "model/sensitivity/spec_variation.h"

#include <catch2/catch.hpp>

#include "arch_specs/loader.h"

namespace spec_variation_test {

using namespace gpumodel;

namespace {

VariableSpec variable(const char* name, const std::vector<Override>& overrides = {}) {
    return {load_arch(name, overrides), overrides};
}

SpecNeighbour beside(const char* arch, const char* key, Direction direction, double step = 0.1) {
    return spec_neighbour(variable(arch), *find_field(key), step, direction);
}

}  // namespace

TEST_CASE("fractions move by the step, whole numbers to whole numbers", "[sensitivity]") {
    CHECK(beside("v100_sxm2", "clock.sm", Direction::up).value == Approx(1.683e9));
    CHECK(beside("v100_sxm2", "clock.sm", Direction::down).value == Approx(1.377e9));
    CHECK(beside("h200_sxm", "sm_count", Direction::down).value == 119);       // 118.8
    CHECK(beside("h200_sxm", "sm_count", Direction::up, 0.001).value == 133);  // at least one
}

TEST_CASE("keys that must be powers of two take the next ones", "[sensitivity]") {
    CHECK(beside("v100_sxm2", "sm.shared_memory.banks", Direction::down).value == 16);
    CHECK(beside("v100_sxm2", "sm.shared_memory.banks", Direction::up).value == 64);
    const auto variant = beside("v100_sxm2", "sm.shared_memory.banks", Direction::up);
    REQUIRE(variant.arch);
    CHECK(variant.arch->sm.shared_memory.banks == 64);
}

TEST_CASE("the range ends a step, and forbids one at its end", "[sensitivity]") {
    CHECK(beside("h200_sxm", "dram.read_efficiency", Direction::up).value == 1);  // 0.9375 * 1.1 > 1
    const auto fixed = beside("h200_sxm", "sm.warp_size", Direction::up);
    CHECK_FALSE(fixed.arch);
    CHECK(fixed.reason.find("allowed 32 to 32") != std::string::npos);
    const auto nothing = beside("h200_sxm", "sm.shared_memory.extra_cycles_per_request", Direction::up);
    CHECK_FALSE(nothing.arch);
    CHECK(nothing.reason.find("no relative step") != std::string::npos);
}

TEST_CASE("rules that tie keys together hold for variants too", "[sensitivity]") {
    // the pipe's lanes limit the class
    const auto faster = beside("v100_sxm2", "sm.ops.ffma.throughput", Direction::up);
    CHECK_FALSE(faster.arch);
    CHECK(faster.reason.find("lanes") != std::string::npos);
    const auto spec = variable("v100_sxm2");
    const auto* rate = find_field("sm.ops.ffma.throughput");
    const auto* lanes = find_field("sm.pipes.fma.lanes");
    CHECK(spec.with({{rate, 128}, {lanes, 128}}).arch);
    CHECK_FALSE(spec.with({{rate, 128}}).arch);
    CHECK_FALSE(spec.with({{lanes, 0.5}}).arch);
}

TEST_CASE("a variant equals the spec loaded with the same overrides", "[sensitivity]") {
    const std::vector<Override> base{{"sm_count", "60"}};
    const auto spec = variable("v100_sxm2", base);
    const auto variant = spec.with({{find_field("clock.sm"), 2e9}, {find_field("l1.latency"), 40}});
    REQUIRE(variant.arch);
    const auto loaded =
        load_arch("v100_sxm2", {{"sm_count", "60"}, {"clock.sm", "2 GHz"}, {"l1.latency", "40 cycles"}});
    for (const auto& field : schema()) {
        INFO(field.key);
        CHECK(field.get(*variant.arch) == field.get(loaded));
    }
    CHECK(variant.arch->peak_fp32_flops == loaded.peak_fp32_flops);
    CHECK(variant.arch->op(OpClass::global_load)->latency_cycles ==
          loaded.op(OpClass::global_load)->latency_cycles);
}

TEST_CASE("uncertainties are read from sources that state them", "[sensitivity]") {
    const auto& latency = *find_field("l1.latency");
    const auto read = [&](const char* source) { return stated_uncertainty(latency, 32, source); };
    CHECK(read("calibrated, +- 0.16 cycles: global_latency (24 rows) of h200.csv").value() == Approx(0.005));
    CHECK(read("estimated: +- 5 %").value() == Approx(0.05));
    CHECK_FALSE(read("estimated: 25 to 40"));
    CHECK_FALSE(read("+- soon"));
    CHECK_FALSE(read(""));
}

}  // namespace spec_variation_test
