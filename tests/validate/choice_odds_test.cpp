#include "validate/accuracy/choice_odds.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <numeric>
#include <random>

using gpumodel::choice_odds;
using gpumodel::Contender;

namespace {

double normal_cdf(double z) {
    return 0.5 * std::erfc(-z / std::sqrt(2.0));
}

// E[max(1, e^D)] - 1 for normal D
double loss_of_pair(double mean, double deviation) {
    return normal_cdf(-mean / deviation) +
           std::exp(mean + deviation * deviation / 2) * normal_cdf(mean / deviation + deviation) - 1;
}

struct Drawn {
    std::vector<double> best;
    std::vector<double> loss;
    std::vector<double> loss_error;  // standard error of the mean
};

Drawn monte_carlo(const std::vector<Contender>& contenders, int draws) {
    std::mt19937_64 random(7);
    std::normal_distribution<double> normal;
    const auto n = contenders.size();
    Drawn drawn{std::vector<double>(n), std::vector<double>(n), std::vector<double>(n)};
    std::vector<double> log_times(n);
    for (int d = 0; d < draws; ++d) {
        for (std::size_t i = 0; i < n; ++i) {
            log_times[i] = contenders[i].log_time + contenders[i].sigma * normal(random);
        }
        const auto best = std::min_element(log_times.begin(), log_times.end());
        drawn.best[static_cast<std::size_t>(best - log_times.begin())] += 1.0 / draws;
        for (std::size_t k = 0; k < n; ++k) {
            const auto end = log_times.begin() + static_cast<std::ptrdiff_t>(k) + 1;
            const double loss = std::expm1(*std::min_element(log_times.begin(), end) - *best);
            drawn.loss[k] += loss / draws;
            drawn.loss_error[k] += loss * loss / draws;
        }
    }
    for (std::size_t k = 0; k < n; ++k) {
        drawn.loss_error[k] = std::sqrt((drawn.loss_error[k] - drawn.loss[k] * drawn.loss[k]) / draws);
    }
    return drawn;
}

}  // namespace

TEST_CASE("two contenders have closed forms", "[odds]") {
    for (const auto& [gap, a, b] :
         {std::tuple{0.0, 0.05, 0.05}, {0.03, 0.05, 0.05}, {-0.08, 0.02, 0.1}, {0.2, 0.3, 0.15}}) {
        INFO(gap << " " << a << " " << b);
        const auto odds = choice_odds({{1.0, a}, {1.0 + gap, b}}, 2);
        const double deviation = std::hypot(a, b);
        CHECK(odds.best_probability.at(0) == Approx(normal_cdf(gap / deviation)).epsilon(1e-6));
        CHECK(odds.best_probability.at(1) == Approx(normal_cdf(-gap / deviation)).epsilon(1e-6));
        CHECK(odds.loss_of_first.at(0) == Approx(loss_of_pair(-gap, deviation)).epsilon(1e-4));
        CHECK(odds.loss_of_first.at(1) == Approx(0).margin(1e-12));
    }
}

TEST_CASE("equal contenders are equally likely, and the lucky first of ten costs E[max of ten normals]",
          "[odds]") {
    const double sigma = 0.001;
    const auto odds = choice_odds(std::vector<Contender>(10, {2.0, sigma}), 3);
    for (const double p : odds.best_probability) {
        CHECK(p == Approx(0.1).epsilon(1e-6));
    }
    // the mean of the largest of ten standard normals (Teichroew 1956); to first order in sigma
    CHECK(odds.loss_of_first.at(0) / sigma == Approx(1.5387527).epsilon(2e-3));
    CHECK(odds.loss_of_first.size() == 3);
}

TEST_CASE("odds agree with a million draws", "[odds]") {
    const std::vector<Contender> contenders{{0.00, 0.06}, {0.02, 0.06}, {0.03, 0.06},
                                            {0.03, 0.12}, {0.10, 0.06}, {0.50, 0.06}};
    const int draws = 1'000'000;
    const auto odds = choice_odds(contenders, contenders.size());
    const auto drawn = monte_carlo(contenders, draws);
    for (std::size_t i = 0; i < contenders.size(); ++i) {
        INFO(i);
        const double p = drawn.best[i];
        CHECK(std::abs(odds.best_probability[i] - p) <= 4 * std::sqrt((p * (1 - p) + 1e-6) / draws));
        CHECK(std::abs(odds.loss_of_first[i] - drawn.loss[i]) <= 4 * drawn.loss_error[i] + 1e-9);
    }
    CHECK(std::accumulate(odds.best_probability.begin(), odds.best_probability.end(), 0.0) ==
          Approx(1).epsilon(1e-6));
}

TEST_CASE("hopeless contenders change nothing, however far", "[odds]") {
    const auto few = choice_odds({{0, 0.05}, {0.01, 0.05}}, 1);
    const auto many = choice_odds({{0, 0.05}, {0.01, 0.05}, {7, 0.05}, {900, 0.05}}, 1);
    CHECK(many.loss_of_first.at(0) == Approx(few.loss_of_first.at(0)).epsilon(1e-9));
    CHECK(many.best_probability.at(3) == Approx(0).margin(1e-12));
    CHECK(choice_odds({{3, 0.05}}, 5).loss_of_first == std::vector<double>{0});
    CHECK(choice_odds({}, 5).best_probability.empty());
}
