// Energy and power of launches, and the clock at the board's limit.
#include "model/power/launch_power.h"

#include <catch2/catch.hpp>
#include <cmath>
#include <string_view>

#include "arch_specs/loader.h"
#include "model/analytic/predict.h"
#include "model/sim/sustained_clock.h"
#include "tests/support/family_programs.h"

using namespace gpumodel;

namespace {

constexpr double picojoule = 1e-12;

LaunchCounts executing(OpClass op, double thread_instructions) {
    LaunchCounts counts;
    counts.thread_instructions[static_cast<std::size_t>(op)] = thread_instructions;
    return counts;
}

double core_of(OpClass op, const ArchSpec& arch) {
    const auto energy = launch_energy({}, arch, executing(op, 32e6), {});
    REQUIRE(energy);
    CHECK(energy->memory_joules == 0);
    return energy->core_joules;
}

KernelProgram product(const char* family, const ArchSpec& arch) {
    const bool one_deep = std::string_view(family) == "stride_copy";
    return test::family_program(family, arch, {4096, 4096, one_deep ? 1 : 4096});
}

ArchSpec sustained(const char* name) {
    auto arch = load_arch(name);
    arch.clock.sustained = true;
    return arch;
}

}  // namespace

TEST_CASE("each thread instruction takes its class's energy, products that of their FLOP", "[unit][power]") {
    const auto arch = load_arch("h200_sxm");
    const auto& p = arch.power;
    CHECK(core_of(OpClass::ffma, arch) == Approx(32e6 * *p.fp32_joules));
    CHECK(core_of(OpClass::dfma, arch) == Approx(32e6 * *p.fp64_joules));
    CHECK(core_of(OpClass::hfma, arch) == Approx(32e6 * *p.fp16_joules));
    CHECK(core_of(OpClass::sfu, arch) == Approx(32e6 * *p.special_joules));
    for (const auto op : {OpClass::iadd, OpClass::mov, OpClass::branch, OpClass::shared_load}) {
        CHECK(core_of(op, arch) == Approx(32e6 * *p.integer_joules));
    }
    // 2 * 16 * 8 * 16 FLOP for a warp; tf32 half as deep; 8 bits twice
    CHECK(core_of(OpClass::hmma_16816_f32, arch) == Approx(1e6 * 4096 * *p.f16_product_joules));
    CHECK(core_of(OpClass::hmma_1688_tf32, arch) == Approx(1e6 * 2048 * *p.tf32_product_joules));
    CHECK(core_of(OpClass::imma_16832, arch) == Approx(1e6 * 8192 * *p.int8_product_joules));
    CHECK(core_of(OpClass::dmma_884, arch) == Approx(1e6 * 512 * *p.f64_product_joules));
    CHECK(core_of(OpClass::dmma_16816, arch) == Approx(1e6 * 4096 * *p.f64_product_joules));
}

TEST_CASE("bytes take the energy of where they pass", "[unit][power]") {
    const auto arch = load_arch("h200_sxm");
    LaunchCounts counts;
    counts.shared_load.lane_bytes = 1000;
    counts.shared_store.lane_bytes = 200;
    counts.global_load.lane_bytes = 30;
    counts.global_store.lane_bytes = 4;
    Traffic traffic;
    traffic.l2_read_bytes = 50;
    traffic.l2_write_bytes = 6;
    traffic.dram_read_bytes = 7;
    traffic.dram_write_bytes = 8;
    const auto energy = launch_energy({}, arch, counts, traffic);
    REQUIRE(energy);
    CHECK(energy->core_joules == Approx(1200 * *arch.power.shared_joules + 34 * *arch.power.l1_joules));
    CHECK(energy->memory_joules == Approx(56 * *arch.power.l2_joules + 15 * *arch.power.dram_joules));
}

TEST_CASE("an energy that is not known makes no power", "[unit][power]") {
    auto arch = load_arch("h200_sxm");
    CHECK(launch_energy({}, arch, executing(OpClass::ffma, 1), {}));
    arch.power.f64_product_joules.reset();
    CHECK_FALSE(launch_energy({}, arch, executing(OpClass::dmma_884, 32), {}));
    arch.power.fp32_joules.reset();
    CHECK_FALSE(launch_energy({}, arch, executing(OpClass::ffma, 1), {}));
    CHECK(launch_energy({}, arch, executing(OpClass::iadd, 1), {}));
    CHECK_FALSE(launch_energy({}, load_arch("k40"), executing(OpClass::iadd, 1), {}));
    CHECK_FALSE(knows_power(load_arch("k40")));
}

TEST_CASE("the SMs' energy goes with the clock, the memory's and the idle power do not", "[unit][power]") {
    auto arch = load_arch("h200_sxm");
    arch.power.idle_watts = 100;
    arch.power.clock_exponent = 1.5;
    const LaunchEnergy energy{3.0, 2.0};
    CHECK(average_watts(arch, energy, arch.clock.sm_hz, 0.5) == Approx(110));
    CHECK(average_watts(arch, energy, arch.clock.sm_hz / 4, 0.5) == Approx(100 + (3.0 / 8 + 2.0) / 0.5));
    CHECK(average_watts(arch, {}, arch.clock.sm_hz, 1) == 100);
}

// The loops that the energies come from, as a launch of nothing else for a second:
// validate/data/h200_sxm_energy.csv.
TEST_CASE("measured loops draw what they were measured to draw", "[unit][power]") {
    const auto arch = load_arch("h200_sxm");
    const auto watts = [&](OpClass op, double per_second, double mhz) {
        const auto energy = launch_energy({}, arch, executing(op, per_second), {});
        return average_watts(arch, *energy, mhz * 1e6, 1);
    };
    CHECK(watts(OpClass::ffma, 4.483e13 / 2, 1980) == Approx(469.6).epsilon(0.01));
    CHECK(watts(OpClass::dfma, 3.064e13 / 2, 1980) == Approx(613.4).epsilon(0.01));
    CHECK(watts(OpClass::hmma_16816_f32, 5.439e14 / 4096 * 32, 1709) == Approx(679.4).epsilon(0.03));
    CHECK(watts(OpClass::imma_16832, 1.148e15 / 8192 * 32, 1814) == Approx(581.1).epsilon(0.03));
}

TEST_CASE("sustained, the board draws its limit or the clock is a burst's", "[unit][power]") {
    const auto burst_arch = load_arch("h200_sxm");
    auto arch = sustained("h200_sxm");
    for (const double limit : {200.0, 700.0}) {
        arch.power.limit_watts = limit;
        for (const char* family : {"vectorized", "warptile", "stride_copy"}) {
            const auto program = product(family, arch);
            const auto burst = predict_analytic(program, burst_arch);
            const auto p = predict_analytic(program, arch);
            CAPTURE(limit, family, *burst.average_watts, *p.average_watts);
            CHECK(*p.energy_joules == Approx(*p.average_watts * p.time_seconds));
            if (*burst.average_watts > limit) {
                CHECK(*p.average_watts == Approx(limit).epsilon(0.01));
                CHECK(p.sm_hz < burst.sm_hz);
                CHECK(p.time_seconds > burst.time_seconds);
            } else {
                CHECK(p.sm_hz == burst.sm_hz);
                CHECK(p.time_seconds == burst.time_seconds);
            }
        }
    }
}

TEST_CASE("by the simulator's own time the limit holds too", "[unit][power]") {
    auto arch = sustained("h200_sxm");
    arch.power.limit_watts = 300;
    const auto program = product("warptile", arch);
    const SimOptions options;
    const auto first = predict_simulated(program, arch, options);
    const auto p = hold_power(program, arch, options, Detail::figures, first);
    CHECK(*p.average_watts == Approx(300).epsilon(0.015));
    arch.clock.sustained = false;
    const auto burst = predict_simulated(program, arch, options);
    CHECK(hold_power(program, arch, options, Detail::figures, burst).sm_hz == burst.sm_hz);
}

TEST_CASE("a locked clock is the clock, and time in cycles moves with the memory alone", "[unit][power]") {
    auto arch = load_arch("h200_sxm");
    const auto program = product("warptile", arch);
    const auto full = predict_analytic(program, arch);
    arch.clock.most_hz = 0.99e9;
    const auto half = predict_analytic(program, arch);
    CHECK(half.sm_hz == 0.99e9);
    CHECK(half.time_seconds > 1.8 * full.time_seconds);  // it computes
    CHECK(half.time_seconds < 2.001 * full.time_seconds);
    const auto copy = product("stride_copy", arch);
    const auto slow = predict_analytic(copy, arch);
    arch.clock.most_hz.reset();
    CHECK(slow.time_seconds < 1.5 * predict_analytic(copy, arch).time_seconds);  // it waits for DRAM
}
