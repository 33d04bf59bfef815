// Statistics of errors, against definitions and brute force.
#include "validate/accuracy/error_statistics.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <random>

namespace gpumodel {
namespace {

std::vector<TimePair> random_pairs(unsigned seed, std::size_t count, int values) {
    std::mt19937 random(seed);
    std::vector<TimePair> pairs;
    for (std::size_t i = 0; i < count; ++i) {
        pairs.push_back({1.0 + static_cast<double>(random() % static_cast<unsigned>(values)),
                         1.0 + static_cast<double>(random() % static_cast<unsigned>(values))});
    }
    return pairs;
}

}  // namespace

TEST_CASE("mean, median, p90 and bias follow their definition", "[unit][accuracy]") {
    std::vector<double> errors;
    for (int i = 1; i <= 11; ++i) {
        errors.push_back(i % 2 == 0 ? -0.01 * i : 0.01 * i);  // magnitudes 1 ... 11 %
    }
    const auto s = error_statistics("x", errors);
    CHECK(s.launches == 11);
    CHECK(s.mape_pct == Approx(6));
    CHECK(s.median_pct == Approx(6));
    CHECK(s.p90_pct == Approx(10));
    CHECK(s.bias_pct == Approx(6.0 / 11));  // 36 of odd, 30 of even ones
    CHECK(error_statistics("none", {}).mape_pct == 0);
}

TEST_CASE("tau is 1 for the same order, -1 for the reverse, 1/3 for one swap of three", "[unit][accuracy]") {
    CHECK(kendall_tau({{1, 10}, {2, 20}, {3, 30}}).value() == Approx(1));
    CHECK(kendall_tau({{1, 30}, {2, 20}, {3, 10}}).value() == Approx(-1));
    CHECK(kendall_tau({{1, 10}, {3, 20}, {2, 30}}).value() == Approx(1.0 / 3));
    CHECK_FALSE(kendall_tau({{1, 1}}));
    CHECK_FALSE(kendall_tau({{1, 1}, {1, 2}}));
}

// tau-b = (agreeing - disagreeing) / sqrt((n0 - n1)(n0 - n2)), n1 and n2 the pairs tied on either side: by
// counting all five kinds of pairs.
TEST_CASE("tau of tied lists equals the count over all pairs", "[property][accuracy]") {
    for (unsigned seed = 0; seed < 50; ++seed) {
        const auto pairs = random_pairs(seed, 12, 5);
        int agree = 0;
        int disagree = 0;
        int tied_predicted = 0;
        int tied_measured = 0;
        int all = 0;
        for (std::size_t i = 0; i < pairs.size(); ++i) {
            for (std::size_t j = i + 1; j < pairs.size(); ++j) {
                const double p = pairs[i].predicted - pairs[j].predicted;
                const double m = pairs[i].measured - pairs[j].measured;
                ++all;
                tied_predicted += p == 0 ? 1 : 0;
                tied_measured += m == 0 ? 1 : 0;
                agree += p * m > 0 ? 1 : 0;
                disagree += p * m < 0 ? 1 : 0;
            }
        }
        const double scale =
            std::sqrt(static_cast<double>(all - tied_predicted) * static_cast<double>(all - tied_measured));
        CHECK(kendall_tau(pairs).value() == Approx((agree - disagree) / scale));
    }
}

TEST_CASE("regret is what the predicted best loses", "[unit][accuracy]") {
    const std::vector<TimePair> pairs{{1, 12}, {2, 10}, {3, 30}};
    CHECK(regret(pairs, 1) == Approx(0.2));
    CHECK(regret(pairs, 2) == Approx(0));
    CHECK(regret(pairs, 8) == Approx(0));
}

TEST_CASE("regret never grows with the number that is tried", "[property][accuracy]") {
    for (unsigned seed = 0; seed < 50; ++seed) {
        const auto pairs = random_pairs(seed, 20, 1000);
        double before = regret(pairs, 1);
        for (std::size_t top = 2; top <= pairs.size(); ++top) {
            const double now = regret(pairs, top);
            CHECK(now <= before);
            CHECK(now >= 0);
            before = now;
        }
        CHECK(before == 0);
    }
}

// e = offset(instance) + 0.03 log2(size), whatever the offsets and sizes are.
TEST_CASE("the slope over size ignores each instance's own offset", "[unit][accuracy]") {
    std::vector<SizedError> errors;
    for (std::size_t instance = 0; instance < 5; ++instance) {
        for (const double size : {8.0, 9.0 + static_cast<double>(instance), 12.0}) {
            errors.push_back(
                {instance, size, 0.1 * static_cast<double>(instance * instance) - 0.2 + 0.03 * size});
        }
    }
    CHECK(slope_per_doubling(errors).value() == Approx(0.03));
    CHECK_FALSE(slope_per_doubling({{0, 8, 0.1}, {1, 9, 0.2}}));
}

}  // namespace gpumodel
