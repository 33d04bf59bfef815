#include "validate/accuracy/rank_spread.h"

#include <catch2/catch.hpp>
#include <cmath>
#include <random>

#include "tests/support/temporary_folder.h"

using namespace gpumodel;

namespace {

Measurement launch(const std::string& params_key, std::int64_t value, std::int64_t size, double time_us,
                   Split split = Split::calibration) {
    Measurement m;
    m.family = "warptile";
    m.params = {{params_key, value}};
    m.m = m.n = m.k = size;
    m.time_us = time_us;
    m.split = split;
    return m;
}

}  // namespace

TEST_CASE("the spread is within shapes; what a shape shares is in rms only", "[spread]") {
    // ten configurations at two shapes, predicted 100: ln errors +-a around the shapes' own means
    const double a = 0.04, shared = 0.3;
    std::vector<Measurement> measured;
    for (int i = 0; i < 10; ++i) {
        const double error = i % 2 == 0 ? a : -a;
        measured.push_back(launch("BM", i, 1024, 100 * std::exp(error)));
        measured.push_back(launch("BM", i, 2048, 100 * std::exp(shared + error)));
        measured.push_back(launch("BM", 100 + i, 2048, 1e9, Split::test));
        measured.push_back(launch("BM", 200 + i, 2048, 1e9));  // predicted too slow to win
    }
    std::vector<RankedLaunch> launches;
    for (const auto& m : measured) {
        launches.push_back({&m, "both", m.params.at("BM") < 200 ? 100.0 : 151.0});
    }
    const auto spreads = make_rank_spreads(launches, "sm_90");
    REQUIRE(spreads.size() == 1);
    const auto spread = rank_spread(spreads, "sm_90", "both", "warptile", {4096, 4096, 4096});
    REQUIRE(spread);
    CHECK(spread->degrees == 18);
    CHECK(spread->launches == 20);
    CHECK(spread->sigma_pct == Approx(100 * 1.4826 * a * std::sqrt(20.0 / 18)));
    // |e|: ten of a, five of shared - a, five of shared + a
    CHECK(spread->rms_pct == Approx(100 * 1.4826 * (a + shared - a) / 2));
    CHECK_FALSE(rank_spread(spreads, "sm_90", "simulate", "warptile", {4096, 4096, 4096}));
    CHECK_FALSE(rank_spread(spreads, "sm_90", "both", "warptile", {256, 4096, 4096}));

    const TemporaryFile file(rank_spreads_csv(spreads));
    CHECK(rank_spreads_csv(read_rank_spreads(file.path())) == rank_spreads_csv(spreads));
}

TEST_CASE("the spread of normal errors is their deviation", "[spread]") {
    const double sigma = 0.06;
    std::mt19937_64 random(3);
    std::normal_distribution<double> normal(0.2, sigma);
    std::vector<Measurement> measured;
    for (int i = 0; i < 20'000; ++i) {
        measured.push_back(launch("BM", i, 1024 + i % 4, 100 * std::exp(normal(random))));
    }
    std::vector<RankedLaunch> launches;
    for (const auto& m : measured) {
        launches.push_back({&m, "simulate", 100});
    }
    const auto spreads = make_rank_spreads(launches, "sm_90");
    CHECK(spreads.begin()->second.sigma_pct == Approx(100 * sigma).epsilon(0.03));
}

TEST_CASE("few configurations have no spread", "[spread]") {
    const auto one = launch("BM", 1, 1024, 90), two = launch("BM", 2, 1024, 110);
    CHECK(make_rank_spreads({{&one, "both", 100}, {&two, "both", 100}}, "sm_90").empty());
}

TEST_CASE("all faults of a spread file at once", "[spread]") {
    const TemporaryFile file(
        "generation,model,family,size,sigma_pct,rms_pct,degrees,launches\n"
        "sm_90,both,warptile,huge,5,6,20,22\n"
        "sm_90,both,warptile,>=512,0,6,20,22\n"
        "sm_90,both,smem,>=512,five,6,20,22\n");
    try {
        (void)read_rank_spreads(file.path());
        FAIL("accepted");
    } catch (const InputError& error) {
        CHECK(error.diagnostics().size() >= 3);
    }
}
