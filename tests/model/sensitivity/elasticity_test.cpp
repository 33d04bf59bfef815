// Elasticities of times in closed form.
#include "model/sensitivity/elasticity.h"

#include <catch2/catch.hpp>
#include <cmath>
#include <functional>

using namespace gpumodel;

namespace {

Elasticity of(const std::function<double(double)>& time, double value, double step) {
    const auto at = [&](double x) { return Observation{x, time(x)}; };
    return elasticity_of(at(value), at(value * (1 - step)), at(value * (1 + step)));
}

}  // namespace

TEST_CASE("a power of the value has its exponent, at any step", "[sensitivity]") {
    const double step = GENERATE(0.5, 0.1, 0.01);
    const double exponent = GENERATE(-1.0, 0.0, 0.5, 2.0);
    const auto e = of([&](double x) { return 3e-4 * std::pow(x, exponent); }, 1.98e9, step);
    CHECK(e.value.value() == Approx(exponent).margin(1e-12));
    CHECK(e.below.value() == Approx(exponent).margin(1e-12));
    CHECK(e.above.value() == Approx(exponent).margin(1e-12));
    CHECK_FALSE(e.cliff);
}

TEST_CASE("central differences converge with the square of the step", "[sensitivity]") {
    // t = 1 + 2 / x at x = 1: e = -2 / 3
    const auto error = [](double step) {
        const auto e = of([](double x) { return 1 + 2 / x; }, 1, step);
        return std::abs(e.value.value() + 2.0 / 3);
    };
    CHECK(error(0.1) < 0.01);
    CHECK(error(0.05) < 0.3 * error(0.1));
    CHECK(error(0.01) < 0.05 * error(0.05));
}

TEST_CASE("sides that disagree make a cliff", "[sensitivity]") {
    const Observation base{64, 1.0};
    const auto cliff = [&](double below, double above) {
        return elasticity_of(base, Observation{32, below}, Observation{128, above}).cliff;
    };
    CHECK(cliff(1.5, 0.99));  // much slower with less, no faster with more
    CHECK(cliff(1.1, 1.1));   // slower either way
    CHECK_FALSE(cliff(1.1, 1 / 1.1));
    CHECK_FALSE(cliff(1.001, 1.001));  // both are nothing
}

TEST_CASE("one neighbour gives a one-sided elasticity, none gives none", "[sensitivity]") {
    const Observation base{2, 1.0};
    const auto low = elasticity_of(base, Observation{1, 2.0}, std::nullopt);
    CHECK(low.value.value() == Approx(-1));
    CHECK_FALSE(low.above);
    CHECK_FALSE(low.cliff);
    CHECK_FALSE(elasticity_of(base, std::nullopt, std::nullopt).value);
}

TEST_CASE("the times' own errors limit the resolution", "[sensitivity]") {
    // both ends 1 % off in opposite directions: ln(1.02) / ln(4) at most
    const auto e = elasticity_of({2, 1.0, 1}, Observation{1, 2.0, 1}, Observation{4, 0.5, 1});
    CHECK(e.resolution == Approx(0.02 / std::log(4)));
    // the change lies within it: no cliff
    CHECK_FALSE(elasticity_of({64, 1.0, 3}, Observation{60, 1.03, 3}, Observation{68, 1.0, 3}).cliff);
}
