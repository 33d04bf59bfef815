// The order in which tune puts configurations: the analytic model chooses which are simulated, and the times
// of both models rank those.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

namespace gpumodel::cli::tuning {

// both: the geometric mean of the two models' times. Their errors differ enough from one configuration to the
// next that it chooses better than either (H200, calibration half, 48 sweeps: mean loss of the chosen 2.0 %
// against 3.3 % by the simulator and 2.2 % by the analytic model).
enum class RankedBy : unsigned char { simulate, analytic, both };
[[nodiscard]] std::string_view to_string(RankedBy ranked_by);  // "simulate", "analytic", "both"

struct RankTimes {
    double analytic = 0;
    std::optional<double> simulated;
};

// What a configuration is ranked by; by the analytic time where that is all there is.
[[nodiscard]] double rank_time(const RankTimes& times, RankedBy ranked_by);

// Indices, fastest first. Times within 0.1 % of the fastest of their group count as equal and keep the
// analytic order, then the order given: less than that no model can tell.
[[nodiscard]] std::vector<std::size_t> rank_order(const std::vector<RankTimes>& times, RankedBy ranked_by);

// Indices of the `count` fastest by the analytic model, in its order.
[[nodiscard]] std::vector<std::size_t> analytic_best(const std::vector<RankTimes>& times, std::size_t count);

}  // namespace gpumodel::cli::tuning
