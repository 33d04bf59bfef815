// Rank spread: how differently the configurations of one family err at one shape, which is what can change
// their order. Of e = ln(measured / predicted) over the calibration half, only configurations that are
// predicted within 1.5 times the shape's fastest, as no others can win; medians, as single configurations err
// by far more:
//   sigma = 1.4826 median |e - median e of the shape| sqrt(launches / degrees), over a size class's shapes
//   rms   = 1.4826 median |e|: with what all configurations share, for comparing families
// where 1.4826 makes a median absolute deviation the standard deviation of a normal distribution (Hampel
// 1974) and degrees = sum(launches of the shape - 1); none for fewer than 8 of them. Model "both" is the
// geometric mean of the simulator's and the analytic model's time. Never computed from the test half. The
// committed file is rank_spread.csv beside the specs.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "validate/accuracy/error_bands.h"

namespace gpumodel {

struct RankSpread {
    double sigma_pct = 0;  // 100 sigma
    double rms_pct = 0;    // 100 rms
    std::size_t degrees = 0;
    std::size_t launches = 0;
};

using RankSpreads = std::map<BandKey, RankSpread>;

// One measured configuration with what was predicted of it.
struct RankedLaunch {
    const Measurement* measured = nullptr;
    std::string model;  // "simulate", "analytic", "both"
    double predicted_us = 0;
};

// From those launches that are in the calibration half.
[[nodiscard]] RankSpreads make_rank_spreads(const std::vector<RankedLaunch>& launches,
                                            const std::string& generation);

// Throws InputError with all faults.
[[nodiscard]] RankSpreads read_rank_spreads(const std::string& path);
[[nodiscard]] std::string rank_spreads_csv(const RankSpreads& spreads);

// The first rank_spread.csv on the path, read once a call; empty without one.
[[nodiscard]] RankSpreads load_rank_spreads(
    const std::vector<std::string>& search_path = default_spec_path());

// Empty: not measured.
[[nodiscard]] std::optional<RankSpread> rank_spread(const RankSpreads& spreads, const std::string& generation,
                                                    const std::string& model, const std::string& family,
                                                    const ProblemShape& shape);

}  // namespace gpumodel
