// What choosing by prediction costs, where predictions err: probabilities and expected losses.
//   ln(true time of i) = ln(predicted time of i) + e_i,  e_i independent, normal, mean 0, deviation sigma_i
// An error that all contenders share cancels: sigma is the spread of the errors within one family at one
// shape (rank_spread.h). The expected loss of the predicted best is therefore above 0 even where it leads:
// the best of many noisy predictions is partly lucky (the winner's curse).
//
// With S_j(x) = P(ln T_j > x), S = product over the chosen set, R = product over the others:
//   P(i is the best) = integral of density_i(x) product_{j != i} S_j(x) dx
//   E[min over the chosen / min over all] - 1
//     = integral of (1 - R(x)) (S(x) + integral_x^inf e^(t-x) S(t) dt) dx
// The second follows from E[(e^(C-M) - 1)+] = integral of E[e^(C-x); C > x] P(M <= x) dx for independent C
// and M.
#pragma once

#include <cstddef>
#include <vector>

namespace gpumodel {

struct Contender {
    double log_time = 0;  // ln of the predicted time
    double sigma = 0;     // > 0
};

struct ChoiceOdds {
    std::vector<double> best_probability;  // of each contender; they sum to 1
    // [k - 1]: what the truly fastest of the first k contenders takes beyond the truly fastest of all,
    // expected: what remains to be lost after measuring k of them. [0] is the loss of taking the first
    // unmeasured.
    std::vector<double> loss_of_first;
};

// By quadrature (trapezoid rule, a 200th of the smallest sigma; about 1e-6). `first` of loss_of_first, at
// most all. Empty without contenders.
[[nodiscard]] ChoiceOdds choice_odds(const std::vector<Contender>& contenders, std::size_t first);

}  // namespace gpumodel
