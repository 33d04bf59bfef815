// Rows that the text report and the page of a launch share. Expected texts and choices by hand.
#include "tools/views/prediction/shared_rows.h"

#include <catch2/catch.hpp>

using namespace gpumodel;

namespace {

SiteReport site(const std::string& name, MemorySpace space, double instructions, double cost) {
    SiteReport s;
    s.name = name;
    s.space = space;
    s.instructions = instructions;
    (space == MemorySpace::shared ? s.wavefronts : s.sectors) = cost;
    (space == MemorySpace::shared ? s.ideal_wavefronts : s.ideal_sectors) = cost / 2;
    return s;
}

bool is_global(MemorySpace space) {
    return space == MemorySpace::global;
}

}  // namespace

TEST_CASE("a site's cost is per instruction, sectors or wavefronts as its space has them", "[unit]") {
    Prediction p;
    p.sites = {site("a", MemorySpace::global, 4, 32), site("b", MemorySpace::shared, 2, 6),
               site("never", MemorySpace::global, 0, 8)};
    const auto global = costliest_sites(p, is_global);
    REQUIRE(global.rows.size() == 1);
    CHECK(global.rows[0].cost == 8);
    CHECK(global.rows[0].ideal == 4);
    const auto shared = costliest_sites(p, [](MemorySpace space) { return space == MemorySpace::shared; });
    REQUIRE(shared.rows.size() == 1);
    CHECK(shared.rows[0].site->name == "b");
    CHECK(shared.rows[0].cost == 3);
}

TEST_CASE("the costliest sites by total cost stay in program order, the others are counted", "[unit]") {
    Prediction p;
    for (std::size_t i = 0; i < most_sites; ++i) {
        p.sites.push_back(site("s" + std::to_string(i), MemorySpace::global, 1, 10));
    }
    CHECK(costliest_sites(p, is_global).left_out == 0);
    p.sites.insert(p.sites.begin() + 5, site("cheap", MemorySpace::global, 100, 9));
    p.sites.push_back(site("last", MemorySpace::global, 1000, 11));
    const auto sites = costliest_sites(p, is_global);
    CHECK(sites.left_out == 2);
    REQUIRE(sites.rows.size() == most_sites);
    CHECK(sites.rows.front().site->name == "s0");
    CHECK(sites.rows.back().site->name == "last");
    for (std::size_t i = 1; i < sites.rows.size(); ++i) {
        CHECK(sites.rows[i - 1].site < sites.rows[i].site);
        CHECK(sites.rows[i].site->name != "cheap");
    }
}

TEST_CASE("names of limits, grids, sizes and places", "[unit]") {
    Prediction p;
    CHECK(bottleneck_names(p) == "unknown");
    p.bottlenecks = {"dram", "issue slots"};
    CHECK(bottleneck_names(p) == "dram+issue slots");
    CHECK(bottleneck_names(p, ", ") == "dram, issue slots");
    CHECK(is_bottleneck(p, {"dram", 1, ""}));
    CHECK_FALSE(is_bottleneck(p, {"latency", 1, ""}));
    Occupancy o;
    o.limiters = {OccupancyLimiter::warps, OccupancyLimiter::registers};
    CHECK(limiter_names(o) == "warps+registers");
    CHECK(limiter_names(o, " and ") == "warps and registers");
    CHECK(size_text(1, 2, 3) == "M=1 N=2 K=3");
    CHECK(size_text(0, 0, 0).empty());
    CHECK(grid_text({4, 2, 1}, " x ") == "4 x 2");
    CHECK(grid_text({4, 2, 3}, "x") == "4x2x3");
    InstructionReport line;
    line.segment = "products";
    CHECK(place_of(line) == "products");
    line.index = 7;
    CHECK(place_of(line) == "products +7");
    line.address = 0x3a0;
    CHECK(place_of(line) == "0x03a0");
}

TEST_CASE("what of a launch was simulated", "[unit]") {
    SimulationReport run;
    run.blocks = run.simulated_blocks = 5;
    run.trips = run.simulated_trips = 8;
    run.simulated_instructions = 120;
    CHECK(simulated_part(run) == "the busiest SM's whole launch, 120 warp instructions");
    run.simulated_blocks = 3;
    CHECK(simulated_part(run) == "3 of 5 blocks of the SM, 120 warp instructions; the rest is extrapolated");
    run.simulated_trips = 2;
    CHECK(simulated_part(run) ==
          "3 of 5 blocks of the SM, 2 of 8 trips of the longest loop, 120 warp instructions; the rest is "
          "extrapolated");
}

TEST_CASE("hot instructions have their share of all warp cycles", "[unit]") {
    SimulationReport run;
    run.warp_cycles = 200;
    run.instructions_by_stall.resize(3);
    run.instructions_by_stall[0].stall_cycles[static_cast<std::size_t>(StallReason::barrier)] = 50;
    run.instructions_by_stall[0].stall_cycles[static_cast<std::size_t>(StallReason::selected)] = 30;
    run.instructions_by_stall[1].stall_cycles[static_cast<std::size_t>(StallReason::wait)] = 20;
    const auto rows = hot_instructions(run, 2);
    REQUIRE(rows.size() == 2);
    CHECK(rows[0].share == Approx(0.4));
    CHECK(rows[0].reason.reason == StallReason::barrier);
    CHECK(rows[1].share == Approx(0.1));
    CHECK(hot_instructions(run, 9).size() == 3);
}
