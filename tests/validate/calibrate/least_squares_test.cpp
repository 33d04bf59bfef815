#include "validate/calibrate/least_squares.h"

#include <catch2/catch.hpp>
#include <cmath>
#include <random>

using namespace gpumodel;

namespace {

// y = a + b x with normal noise.
LeastSquares line(double a, double b, double sigma, unsigned seed) {
    LeastSquares problem;
    problem.parameters = {{1, -1e9, 1e9, ParameterScale::linear}, {1, -1e9, 1e9, ParameterScale::linear}};
    std::mt19937 random(seed);
    std::normal_distribution<double> noise(0, sigma);
    for (int x = 0; x < 20; ++x) {
        problem.measured.push_back(a + b * x + noise(random));
        problem.sigma.push_back(sigma);
    }
    problem.predict = [](std::span<const double> v, std::span<double> out) {
        for (std::size_t x = 0; x < out.size(); ++x) {
            out[x] = v[0] + v[1] * static_cast<double>(x);
        }
    };
    return problem;
}

}  // namespace

TEST_CASE("a straight line: the normal equations' solution and standard errors", "[calibrate]") {
    auto problem = line(3, 0.5, 0.1, 1);
    // without noise, so that the residual variance is below 1 and the given sigma counts
    for (std::size_t x = 0; x < problem.measured.size(); ++x) {
        problem.measured[x] = 3 + 0.5 * static_cast<double>(x);
    }
    const auto result = fit(problem);
    CHECK(result.parameters[0].value == Approx(3).epsilon(1e-6));
    CHECK(result.parameters[1].value == Approx(0.5).epsilon(1e-6));
    // n = 20, x = 0 ... 19: sum x = 190, sum x^2 = 2470, determinant 20 * 2470 - 190^2 = 13300
    CHECK(result.parameters[0].standard_error == Approx(0.1 * std::sqrt(2470.0 / 13300)).epsilon(1e-4));
    CHECK(result.parameters[1].standard_error == Approx(0.1 * std::sqrt(20.0 / 13300)).epsilon(1e-4));
}

TEST_CASE("stated errors cover the truth about as often as normal errors do", "[calibrate]") {
    int within_one = 0;
    int within_two = 0;
    constexpr int runs = 400;
    for (unsigned seed = 1; seed <= runs; ++seed) {
        const auto slope = fit(line(3, 0.5, 0.1, seed)).parameters[1];
        within_one += std::abs(slope.value - 0.5) <= slope.standard_error ? 1 : 0;
        within_two += std::abs(slope.value - 0.5) <= 2 * slope.standard_error ? 1 : 0;
    }
    // 68 % and 95 %; three binomial deviations of 400 draws are 7 and 3 %
    CHECK(within_one >= runs * 0.61);
    CHECK(within_one <= runs * 0.80);
    CHECK(within_two >= runs * 0.92);
}

TEST_CASE("outliers are weighted down and named", "[calibrate]") {
    auto problem = line(3, 0.5, 0.01, 7);
    problem.measured[4] = 50;
    problem.measured[15] = -20;
    const auto result = fit(problem);
    CHECK(result.parameters[1].value == Approx(0.5).epsilon(0.01));
    CHECK(std::abs(result.rows[4].deviation) > 100);
    CHECK(result.rows[4].weight < 0.05);
    CHECK(result.rows[15].weight < 0.05);
    CHECK(result.rows[5].weight > 0.5);
}

TEST_CASE("parameters that no row tells apart are not identified, the others are", "[calibrate]") {
    auto problem = line(3, 0.5, 0.01, 3);
    problem.parameters.push_back({2, 0, 1e9, ParameterScale::logarithmic});
    problem.parameters.push_back({2, 0, 1e9, ParameterScale::linear});
    problem.predict = [](std::span<const double> v, std::span<double> out) {
        for (std::size_t x = 0; x < out.size(); ++x) {  // v[0] and v[2] only as a sum, v[3] not at all
            out[x] = v[0] + v[2] + v[1] * static_cast<double>(x);
        }
    };
    const auto result = fit(problem);
    CHECK_FALSE(result.parameters[0].identified);
    CHECK_FALSE(result.parameters[2].identified);
    CHECK(result.parameters[0].entangled == std::vector<std::size_t>{2});
    CHECK_FALSE(result.parameters[3].identified);
    CHECK(result.parameters[3].entangled.empty());
    REQUIRE(result.parameters[1].identified);
    CHECK(result.parameters[1].value == Approx(0.5).epsilon(0.01));
}

TEST_CASE("a parameter beyond its bound is held there and the rest fitted again", "[calibrate]") {
    auto problem = line(-2, 0.5, 0.01, 5);
    problem.parameters[0].lower = 0;
    const auto result = fit(problem);
    CHECK(result.parameters[0].value == 0);
    CHECK(result.parameters[0].at_bound);
    // least squares of b x alone: sum x y / sum x^2 = 0.5 - 2 * 190 / 2470; Huber's weights shift it a little
    CHECK(result.parameters[1].value == Approx(0.5 - 2 * 190.0 / 2470).epsilon(0.03));
}

TEST_CASE("logarithmic parameters stay positive from a start far away", "[calibrate]") {
    LeastSquares problem;
    problem.parameters = {{1e-3, 1e-9, 1e9, ParameterScale::logarithmic}};
    problem.measured = {250, 251, 249};
    problem.sigma = {1, 1, 1};
    problem.predict = [](std::span<const double> v, std::span<double> out) {
        std::fill(out.begin(), out.end(), 1 / v[0]);
    };
    CHECK(fit(problem).parameters[0].value == Approx(1 / 250.0).epsilon(1e-3));
}

TEST_CASE("fewer rows than parameters: nothing breaks, nothing is claimed", "[calibrate]") {
    auto problem = line(3, 0.5, 0.1, 1);
    problem.measured.resize(1);
    problem.sigma.resize(1);
    const auto result = fit(problem);
    CHECK_FALSE((result.parameters[0].identified && result.parameters[1].identified));
    for (const auto& p : result.parameters) {
        CHECK(std::isfinite(p.value));
        CHECK(std::isfinite(p.standard_error));
    }
}
