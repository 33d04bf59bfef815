// Terms of a comparison against closed forms on made-up launches.
#include "model/compare/compare.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>

using namespace gpumodel;

namespace {

LaunchRecord simulated(double time_us, double cycles, std::vector<Quantity> stalls) {
    LaunchRecord r;
    r.arch = "k40";
    r.kernel = "warptile";
    r.model = "simulate";
    r.time_us = time_us;
    r.cycles = cycles;
    r.launch_us = 5;
    r.stall_warp_cycles = std::move(stalls);
    return r;
}

LaunchRecord timed(double time_us) {
    LaunchRecord r;
    r.model = "simulate";
    r.time_us = time_us;
    return r;
}

const TermPair& named(const std::vector<TermPair>& terms, const std::string& name) {
    const auto found =
        std::find_if(terms.begin(), terms.end(), [&name](const TermPair& t) { return t.name == name; });
    REQUIRE(found != terms.end());
    return *found;
}

void check_sums(const LaunchComparison& c) {
    double a = 0, b = 0, difference = 0;
    for (const auto& part : c.parts) {
        a += *part.a;
        b += *part.b;
        difference += *part.difference();
    }
    CHECK(a == Approx(*c.time_us.a).epsilon(1e-12));
    CHECK(b == Approx(*c.time_us.b).epsilon(1e-12));
    CHECK(difference == Approx(*c.time_us.difference()).epsilon(1e-10));
}

}  // namespace

TEST_CASE("stall reasons and launch overhead sum to the time and to its difference", "[unit]") {
    const auto a = simulated(105, 1000, {{"selected", 300}, {"long_scoreboard", 600}, {"barrier", 100}});
    const auto b = simulated(55, 900, {{"selected", 250}, {"long_scoreboard", 125}, {"wait", 125}});
    const auto c = compare_launches(a, b);
    REQUIRE(c.stall_parts);
    REQUIRE(c.launch_set_apart);
    check_sums(c);
    // 100 us and 50 us without the launch, by shares of 1000 and of 500 warp cycles
    CHECK(*named(c.parts, "long_scoreboard").a == Approx(60));
    CHECK(*named(c.parts, "long_scoreboard").b == Approx(12.5));
    CHECK(*named(c.parts, "barrier").b == 0);
    CHECK(*named(c.parts, "wait").a == 0);
    CHECK(*named(c.parts, "wait").b == Approx(12.5));
    CHECK(*named(c.parts, "launch overhead").difference() == 0);
    CHECK(c.parts.front().name == "long_scoreboard");  // the largest difference
    CHECK(c.change_pct() == Approx(100 * (55.0 / 105 - 1)));
}

TEST_CASE("awkward numbers still sum", "[unit]") {
    const auto a = simulated(55530.57806153746, 41366555.65584541,
                             {{"not_selected", 166659312},
                              {"selected", 137185681},
                              {"wait", 84230261},
                              {"long_scoreboard", 36843700},
                              {"dispatch_stall", 476}});
    const auto b = simulated(55530.57806153746 * (1 + 1e-6), 41366597, {{"selected", 1}, {"wait", 1e15}});
    const auto c = compare_launches(a, b);
    double difference = 0;
    for (const auto& part : c.parts) {
        difference += *part.difference();
    }
    CHECK(std::abs(difference - *c.time_us.difference()) < 1e-14 * 55530 * 100);
}

TEST_CASE("without a launch overhead on one side none is set apart", "[unit]") {
    auto a = simulated(105, 1000, {{"selected", 1}});
    const auto b = simulated(55, 900, {{"selected", 1}});
    a.launch_us.reset();
    const auto c = compare_launches(a, b);
    CHECK_FALSE(c.launch_set_apart);
    REQUIRE(c.parts.size() == 1);
    CHECK(*c.parts[0].difference() == Approx(-50));
}

TEST_CASE("rounds of the analytic model sum, block dispatch is what is beyond them", "[unit]") {
    LaunchRecord a;
    a.model = "analytic";
    a.time_us = 12;
    a.launch_us = 2;
    a.cycles = 1000;
    a.rounds = RoundCycles{800, 200};
    auto b = a;
    b.time_us = 22;
    b.cycles = 2000;
    b.rounds = RoundCycles{800, 200};  // the other 1000 cycles are dispatch
    const auto c = compare_launches(a, b);
    check_sums(c);
    CHECK_FALSE(c.stall_parts);
    CHECK(*named(c.parts, "block dispatch").a == 0);
    CHECK(*named(c.parts, "block dispatch").b == Approx(10));
    CHECK(*named(c.parts, "full rounds").difference() == Approx(0).margin(1e-12));
}

TEST_CASE("bounds are in each side's own time", "[unit]") {
    auto a = simulated(105, 1000, {});
    auto b = simulated(105, 2000, {});  // twice the clock
    a.bounds = {{"FMA pipe", 500}, {"DRAM", 100}};
    b.bounds = {{"FMA pipe", 500}, {"L2 cache", 1600}};
    const auto c = compare_launches(a, b);
    REQUIRE(c.bounds.size() == 3);
    CHECK(c.bounds[0].name == "L2 cache");
    CHECK_FALSE(c.bounds[0].a);
    CHECK(*c.bounds[0].b == Approx(80));
    CHECK(*named(c.bounds, "FMA pipe").a == Approx(50));
    CHECK(*named(c.bounds, "FMA pipe").b == Approx(25));
    CHECK_FALSE(named(c.bounds, "DRAM").difference());
}

TEST_CASE("no ratio to zero, no terms without a time", "[unit]") {
    auto a = timed(10);
    auto b = timed(20);
    a.counters = {{"x__y.sum", 0}};
    b.counters = {{"x__y.sum", 5}, {"z__y.sum", 1}};
    auto c = compare_launches(a, b);
    CHECK(c.parts.empty());
    CHECK_FALSE(c.counters[0].ratio());
    CHECK(*c.counters[0].difference() == 5);
    CHECK_FALSE(c.counters[1].a);
    b.status = Status::infeasible;
    c = compare_launches(a, b);
    CHECK_FALSE(c.comparable());
    CHECK(c.counters.empty());
}

TEST_CASE("accesses of one name are one site", "[unit]") {
    std::vector<SiteRecord> sites;
    add_site(sites, {"A", "shared", "load", 10, {}, {}, 20.0, 2.0});
    add_site(sites, {"A", "shared", "load", 5, {}, {}, 20.0, 4.0});
    add_site(sites, {"A", "shared", "store", 1, {}, {}, 1.0, 1.0});
    REQUIRE(sites.size() == 2);
    CHECK(sites[0].instructions == 15);
    CHECK(*sites[0].wavefronts == 40);
    CHECK(*sites[0].conflict_degree == 4);
    CHECK_FALSE(sites[0].sectors);
}

TEST_CASE("the summary's mean is of ratios", "[unit]") {
    auto lost = timed(1);
    lost.status = Status::error;
    const std::vector<LaunchComparison> list{
        compare_launches(timed(10), timed(20)), compare_launches(timed(10), timed(5)),
        compare_launches(timed(10), lost), compare_launches(timed(8), timed(8))};
    const auto s = summarise(list);
    CHECK(s.launches == 3);
    CHECK(s.without_time == 1);
    CHECK(s.geometric_mean_pct == Approx(0).margin(1e-9));  // (2 x 1/2 x 1)^(1/3)
    CHECK(s.worst == 0);
    CHECK(s.worst_pct == Approx(100));
    CHECK(s.best == 1);
    CHECK(s.best_pct == Approx(-50));
    CHECK(summarise({}).launches == 0);
}
