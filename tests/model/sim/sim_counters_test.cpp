// Counters of a run under the profiler's names, from figures chosen by hand.
#include "model/sim/sim_counters.h"

#include <algorithm>
#include <catch2/catch.hpp>

#include "arch_specs/loader.h"
#include "model/analytic/counters.h"

namespace gpumodel {
namespace {

double value(const std::vector<Counter>& counters, const std::string& name) {
    const auto found =
        std::find_if(counters.begin(), counters.end(), [&name](const Counter& c) { return c.name == name; });
    INFO(name);
    REQUIRE(found != counters.end());
    return found->value;
}

// 1000 cycles of 4 schedulers, 8 warps each: 32 000 warp cycles.
SimResult hand_made_run() {
    SimResult run;
    run.cycles = 1000;
    run.achieved_occupancy = 0.5;
    auto& c = run.counters;
    c.instructions = 2000;
    c.warp_cycles = 32000;
    const auto at = [&c](StallReason r) -> double& { return c.stall_cycles[static_cast<std::size_t>(r)]; };
    at(StallReason::selected) = 2000;
    at(StallReason::not_selected) = 1000;
    at(StallReason::long_scoreboard) = 24000;
    at(StallReason::barrier) = 5000;
    c.issued_by_class[static_cast<std::size_t>(OpClass::ffma)] = 1000;
    c.issued_by_class[static_cast<std::size_t>(OpClass::imad)] = 200;
    c.issued_by_class[static_cast<std::size_t>(OpClass::iadd)] = 300;
    c.l1_load_sectors = 100;
    c.l1_load_sector_hits = 75;
    return run;
}

// 400 load sectors of which the analytic model hits 200, 100 store sectors of which 50 hit: 50 %.
Prediction hand_made_prediction() {
    Prediction p;
    p.counters = {{"l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum", 100},
                  {"l1tex__t_sector_hit_rate.pct", 50},
                  {"sm__warps_active.avg.pct_of_peak_sustained_active", 10},
                  {"gpu__time_duration.sum", 1}};
    p.traffic.l1_load_sectors = 400;
    p.traffic.l1_load_sector_hits = 200;
    p.traffic.l2_read_bytes = p.traffic.l2_served_bytes = 6000;
    p.traffic.l2_write_bytes = 2000;
    p.traffic.dram_read_bytes = 1000;
    return p;
}

}  // namespace

TEST_CASE("issue, warps and pipes per cycle", "[unit][counters]") {
    const auto arch = load_arch("h200_sxm");
    const auto counters = simulated_counters(hand_made_run(), arch, hand_made_prediction());
    CHECK(value(counters, "smsp__issue_active.avg.pct_of_peak_sustained_active") == Approx(50));
    CHECK(value(counters, "smsp__inst_executed.avg.per_cycle_active") == Approx(0.5));
    CHECK(value(counters, "smsp__warps_active.avg.per_cycle_active") == Approx(8));
    CHECK(value(counters, "smsp__warps_eligible.avg.per_cycle_active") == Approx(0.75));
    // FFMA and IMAD share a pipe of 4 warp instructions per cycle, IADD3 has one of 2
    CHECK(value(counters, "sm__inst_executed_pipe_fma.avg.pct_of_peak_sustained_active") == Approx(30));
    CHECK(value(counters, "sm__inst_executed_pipe_alu.avg.pct_of_peak_sustained_active") == Approx(15));
    CHECK(value(counters, "sm__warps_active.avg.pct_of_peak_sustained_active") == Approx(50));
    CHECK(value(counters, "gpu__time_duration.sum") == Approx(1000 / arch.clock.sm_hz * 1e9));
}

TEST_CASE("stalls per issue add up to the warps per issue", "[unit][counters]") {
    const auto counters = simulated_counters(hand_made_run(), load_arch("h200_sxm"), hand_made_prediction());
    double sum = 0;
    for (const auto reason : stall_reason_names) {
        sum += value(counters,
                     "smsp__average_warps_issue_stalled_" + std::string(reason) + "_per_issue_active.ratio");
    }
    CHECK(sum == Approx(16));
    CHECK(value(counters, stall_counter_name(StallReason::long_scoreboard)) == Approx(12));
    CHECK(value(counters, stall_counter_name(StallReason::selected)) == Approx(1));
}

TEST_CASE("hit rates: the run's loads with the stores' lookups, DRAM reads over what L2 serves",
          "[unit][counters]") {
    const auto counters = simulated_counters(hand_made_run(), load_arch("h200_sxm"), hand_made_prediction());
    CHECK(value(counters, "l1tex__t_sector_hit_rate.pct") == Approx(100 * (300 + 50) / 500.0));
    CHECK(value(counters, "lts__t_sector_hit_rate.pct") == Approx(87.5));
}

TEST_CASE("what a run does not have is left out, not 0", "[unit][counters]") {
    auto run = hand_made_run();
    run.counters.l1_load_sectors = run.counters.l1_load_sector_hits = 0;
    const auto kept = simulated_counters(run, load_arch("h200_sxm"), hand_made_prediction());
    CHECK(value(kept, "l1tex__t_sector_hit_rate.pct") == Approx(50));
    run.counters.stall_cycles = {};
    const auto none = simulated_counters(run, load_arch("h200_sxm"), hand_made_prediction());
    CHECK(none.size() == hand_made_prediction().counters.size());
}

TEST_CASE("every counter of a run has its csv column", "[unit][counters]") {
    const auto& names = counter_names();
    for (const auto& c : simulated_counters(hand_made_run(), load_arch("h200_sxm"), hand_made_prediction())) {
        INFO(c.name);
        CHECK(std::find(names.begin(), names.end(), c.name) != names.end());
    }
}

}  // namespace gpumodel
