#include "validate/accuracy/choice_odds.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>

namespace gpumodel {
namespace {

constexpr double reach = 9;  // deviations; what lies beyond weighs 1e-18
constexpr double steps_per_sigma = 200;
constexpr std::size_t most_steps = 60'000;

// ln P(Z > z) of the standard normal, where P itself would underflow by its asymptote.
double log_tail(double z) {
    constexpr double far = 30;
    return z < far ? std::log(0.5 * std::erfc(z / std::numbers::sqrt2))
                   : -0.5 * z * z - std::log(z * std::sqrt(2 * std::numbers::pi));
}

// The points at which all integrands are taken.
struct Axis {
    double begin = 0, step = 0;
    std::size_t points = 0;
    [[nodiscard]] double at(std::size_t i) const { return begin + step * static_cast<double>(i); }
};

// Beyond the first contender's end every integrand is 0: it is in each chosen set, and what is best must beat
// it.
Axis axis_over(const std::vector<Contender>& contenders) {
    const auto& first = contenders.front();
    const double end = first.log_time + (reach + first.sigma) * first.sigma;
    double begin = first.log_time, sigma = first.sigma;
    for (const auto& c : contenders) {
        sigma = std::min(sigma, c.sigma);
        begin = std::min(begin, c.log_time - reach * c.sigma);
    }
    const auto steps = std::ceil((end - begin) * steps_per_sigma / sigma);
    const auto points = std::min(static_cast<std::size_t>(steps), most_steps) + 1;
    return {begin, (end - begin) / static_cast<double>(points - 1), points};
}

std::vector<double> log_tails(const Contender& c, const Axis& axis) {
    std::vector<double> tails(axis.points);
    for (std::size_t i = 0; i < axis.points; ++i) {
        tails[i] = log_tail((axis.at(i) - c.log_time) / c.sigma);
    }
    return tails;
}

double best_probability(const Contender& c, const std::vector<double>& all, const Axis& axis) {
    double sum = 0;
    const auto own = log_tails(c, axis);
    for (std::size_t i = 0; i < axis.points; ++i) {
        const double z = (axis.at(i) - c.log_time) / c.sigma;
        sum += std::exp(all[i] - own[i] - 0.5 * z * z);
    }
    return sum * axis.step / (c.sigma * std::sqrt(2 * std::numbers::pi));
}

// `chosen`: ln S, `all`: ln of S times R. The inner integral runs from the far end downwards.
double expected_loss(const std::vector<double>& chosen, const std::vector<double>& all, const Axis& axis) {
    double loss = 0, above = 0;
    const double shrink = std::exp(-axis.step);
    for (std::size_t i = axis.points; i-- > 0;) {
        const double here = std::exp(chosen[i]);
        if (i + 1 < axis.points) {
            // integral_x^inf e^(t-x) S(t) dt over one more step
            above = (above + axis.step / 2 * std::exp(chosen[i + 1])) / shrink + axis.step / 2 * here;
        }
        loss += -std::expm1(all[i] - chosen[i]) * (here + above);
    }
    return loss * axis.step;
}

void add(std::vector<double>& sum, const std::vector<double>& more) {
    std::transform(sum.begin(), sum.end(), more.begin(), sum.begin(), std::plus<>());
}

}  // namespace

ChoiceOdds choice_odds(const std::vector<Contender>& contenders, std::size_t first) {
    ChoiceOdds odds;
    if (contenders.empty()) {
        return odds;
    }
    first = std::min(first, contenders.size());
    const auto axis = axis_over(contenders);
    std::vector<double> all(axis.points);
    for (const auto& c : contenders) {
        add(all, log_tails(c, axis));
    }
    for (const auto& c : contenders) {
        odds.best_probability.push_back(best_probability(c, all, axis));
    }
    std::vector<double> chosen(axis.points);
    for (std::size_t k = 0; k < first; ++k) {
        add(chosen, log_tails(contenders[k], axis));
        odds.loss_of_first.push_back(expected_loss(chosen, all, axis));
    }
    return odds;
}

}  // namespace gpumodel
