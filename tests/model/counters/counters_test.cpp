// Counters under the profiler's names, from figures chosen by hand.
#include "model/counters/counters.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <set>

#include "arch_specs/loader.h"

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

// 400 load sectors of which 200 hit by averages, 100 store sectors of which 50 hit: 50 %.
Prediction hand_made_prediction() {
    Prediction p;
    p.sm_hz = load_arch("h200_sxm").clock.sm_hz;
    p.cycles = 1000;
    p.traffic.l1_load_sectors = 400;
    p.traffic.l1_load_sector_hits = 200;
    p.traffic.l2_read_bytes = p.traffic.l2_served_bytes = 6000;
    p.traffic.l2_write_bytes = 2000;
    p.traffic.dram_read_bytes = 1000;
    p.waves.sm_count = 132;
    p.waves.blocks = 66;
    p.achieved_occupancy = 0.2;
    p.occupancy.occupancy = 0.75;
    return p;
}

LaunchCounts hand_made_counts() {
    LaunchCounts counts;
    counts.instructions = 5000;
    counts.store_lookups = 100;
    counts.store_hits = 50;
    return counts;
}

std::vector<Counter> counters_of(const SimResult* run) {
    const auto arch = load_arch("h200_sxm");
    return predicted_counters({hand_made_counts(), arch, hand_made_prediction(), run});
}

std::vector<Counter> simulated_counters(const SimResult& run = hand_made_run()) {
    return counters_of(&run);
}

}  // namespace

TEST_CASE("issue, warps and pipes per cycle", "[unit][counters]") {
    const auto arch = load_arch("h200_sxm");
    const auto counters = simulated_counters();
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
    const auto counters = simulated_counters();
    double sum = 0;
    for (const auto reason : stall_reason_names) {
        sum += value(counters,
                     "smsp__average_warps_issue_stalled_" + std::string(reason) + "_per_issue_active.ratio");
    }
    CHECK(sum == Approx(16));
    CHECK(value(counters, stall_counter_name(StallReason::long_scoreboard)) == Approx(12));
    CHECK(value(counters, stall_counter_name(StallReason::selected)) == Approx(1));
}

TEST_CASE("hit rates: each model's loads with the stores' lookups, DRAM reads over what L2 serves",
          "[unit][counters]") {
    CHECK(value(counters_of(nullptr), "l1tex__t_sector_hit_rate.pct") == Approx(100 * (200 + 50) / 500.0));
    const auto counters = simulated_counters();
    CHECK(value(counters, "l1tex__t_sector_hit_rate.pct") == Approx(100 * (300 + 50) / 500.0));
    CHECK(value(counters, "lts__t_sector_hit_rate.pct") == Approx(87.5));
}

TEST_CASE("SMs without a block do not count in the analytic occupancy", "[unit][counters]") {
    // 66 blocks on 132 SMs: half of them busy
    CHECK(value(counters_of(nullptr), "sm__warps_active.avg.pct_of_peak_sustained_active") == Approx(40));
}

TEST_CASE("what a run does not have is left out, not 0", "[unit][counters]") {
    auto run = hand_made_run();
    run.counters.l1_load_sectors = run.counters.l1_load_sector_hits = 0;
    CHECK(value(simulated_counters(run), "l1tex__t_sector_hit_rate.pct") == Approx(50));
    run.counters.stall_cycles = {};
    CHECK(simulated_counters(run).size() == counters_of(nullptr).size());
}

TEST_CASE("a GPU without L2 has no counters of it", "[unit][counters]") {
    const auto arch = load_arch("gtx_280");
    for (const auto& c : predicted_counters({hand_made_counts(), arch, hand_made_prediction(), nullptr})) {
        INFO(c.name);
        CHECK(c.name.rfind("lts__", 0) != 0);
    }
}

TEST_CASE("every row of the table has a name of its own and a model that predicts it", "[unit][counters]") {
    std::set<std::string> names;
    for (const auto& row : counter_table()) {
        INFO(row.name);
        CHECK(names.insert(row.name).second);
        CHECK(row.simulated);
    }
    CHECK(counter_names().size() == names.size());
    for (const auto& c : simulated_counters()) {
        INFO(c.name);
        CHECK(names.contains(std::string(c.name)));
    }
}

}  // namespace gpumodel
