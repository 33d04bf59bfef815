// Why one configuration is predicted to be faster than another: the two predictions term by term.
#pragma once

#include <string>
#include <vector>

#include "model/prediction.h"

namespace gpumodel::cli::tuning {

enum class DifferenceKind : unsigned char {
    work,       // cycles that an even deal of the launch keeps a resource busy, % of the predicted cycles
    deal,       // blocks of the busiest SM over an even share
    occupancy,  // resident warps per SM
    wait,       // time that a warp spends for one stall reason, % of the other's time (simulated only)
};

struct Difference {
    DifferenceKind kind = DifferenceKind::work;
    std::string what;  // "shared memory", "long_scoreboard"
    double faster = 0, other = 0;
    double saved_pct = 0;  // of the other's time; below 0: speaks against the faster one
    std::string words;
};

// Waits account for the whole difference, as every cycle of a warp has one reason; work and deal say where it
// comes from, occupancy what helps to hide it. Most saved first. Left out: below 1 % of the time; resources
// that are busy for less than 30 % of both.
[[nodiscard]] std::vector<Difference> differences(const Prediction& faster, const Prediction& other);

// "14 % less shared memory work; 16 warps per SM instead of 12; a warp spends 6.1 % of the time less in
// dispatch_stall (register-file ports are taken)". The strongest of each kind, and what speaks against it.
[[nodiscard]] std::string difference_words(const std::vector<Difference>& list);

}  // namespace gpumodel::cli::tuning
