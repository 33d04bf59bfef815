#include "model/sim/extrapolate/steady.h"

#include <catch2/catch.hpp>

using namespace gpumodel;

TEST_CASE("steady state: equal windows settle, a drift does not", "[sim][unit]") {
    using sim::steady_state;
    CHECK_FALSE(steady_state({100, 100, 100, 100}, 0).has_value());
    const auto equal = steady_state({170, 100, 100, 100, 100}, 0);  // the first is the warm-up
    REQUIRE(equal.has_value());
    CHECK(equal->windows == 4);
    CHECK(equal->mean == 100);
    CHECK(equal->error == 0);
    // mean 101.5, halves 100.5 and 102.5: 1.97 % drift
    CHECK_FALSE(steady_state({99, 100, 101, 102, 103}, 0).has_value());
    // 4 million instructions: four doublings of 0.25 %, two windows are enough
    const auto later = steady_state({99, 100, 101, 102, 103}, 4e6);
    REQUIRE(later.has_value());
    CHECK(later->error == Approx(2.0 / 101.5));
    // alternating windows average out: mean 100, standard error of six of +-1 is sqrt(6 / 5 / 6)
    const auto alternating = steady_state({99, 101, 99, 101, 99, 101, 99, 101, 99}, 4e6);
    REQUIRE(alternating.has_value());
    CHECK(alternating->windows == 6);
    CHECK(alternating->mean == 100);
}

TEST_CASE("a known set of loops that comes back as it was is steady after one window", "[sim][unit]") {
    using sim::steady_again;
    sim::KnownCpi known;
    sim::WindowEnd from, to;
    to.counters.instructions = 100;
    for (int w = 0; w < 8; ++w) {
        to.at = w % 2 == 0 ? 199 : 201;  // 2 cycles per instruction, deviation sqrt(8 / 7) / 100
        known.add(from, to, w / 4);
    }
    CHECK(known.stays == 2);
    CHECK(known.sum.at == 1600);
    CHECK_FALSE(steady_again(known, {2.0, 2.0}, 1e6).has_value());  // too early to trust what is known
    CHECK_FALSE(steady_again(known, {2.0}, 2e6).has_value());       // that is warm-up
    CHECK_FALSE(steady_again(known, {2.0, 2.1}, 2e6).has_value());  // another pace
    const auto again = steady_again(known, {2.3, 2.0}, 2e6);
    REQUIRE(again.has_value());
    CHECK(again->mean == Approx(2.0));
    // two standard errors, as if each stay were one sample
    CHECK(again->error == Approx(2 * std::sqrt(8.0 / 7) / 100 / std::sqrt(2.0) / 2));
}

TEST_CASE("crowds of a loop are equal to an eighth", "[sim][unit]") {
    const sim::TopLoop loop, other;
    const auto crowds = [&](int warps, int others) {
        std::vector<sim::WarpProgress> progress(static_cast<std::size_t>(warps), {0, &loop, 0, 1});
        progress.resize(static_cast<std::size_t>(warps + others), {1, &other, 0, 1});
        progress.emplace_back();  // no warp
        return sim::crowds_of(progress);
    };
    CHECK(crowds(3, 0) == std::vector<sim::LoopCrowd>{{&loop, 3}});
    CHECK(crowds(15, 2) == std::vector<sim::LoopCrowd>{{&loop, 15}, {&other, 2}});
    CHECK(crowds(17, 0) == crowds(16, 0));
    CHECK(crowds(63, 0) == crowds(60, 0));
    CHECK_FALSE(crowds(63, 0) == crowds(55, 0));
    CHECK_FALSE(crowds(15, 0) == crowds(14, 0));
}

TEST_CASE("of more windows than are kept two become one, and the newest end stays", "[sim][unit]") {
    std::vector<sim::WindowEnd> ends;
    for (int i = 0; i <= 16; ++i) {
        sim::WindowEnd end;
        end.at = 10 * i;
        end.counters.instructions = 5 * i;
        CHECK_FALSE(sim::add_window(ends, end));
    }
    sim::WindowEnd end;
    end.at = 170;
    end.counters.instructions = 85;
    CHECK(sim::add_window(ends, end));
    REQUIRE(ends.size() == 9);
    CHECK(ends.front().at == 10);
    CHECK(ends.back().at == 170);  // where the warps are now: what they have left is counted from it
    CHECK(sim::cpis_of(ends) == std::vector<double>(8, 2.0));
}
