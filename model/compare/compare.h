// Two predictions of the same model, term by term: where the difference of their times comes from.
//
//   time = launch overhead + time from the first block to the last
// The second part is divided further, so that the parts and their differences sum to the time's:
//   simulator        by stall reason: part = warp cycles of the reason / all warp cycles x time. A share of
//                    the warps' time, not what removing the reason would save (explain.h says that).
//   analytic model   full rounds, the tail round, and what block dispatch adds beyond both
// Records without such terms (csv) have no parts. If one side does not say its launch overhead, no side's is
// set apart, and the shares are of the whole time.
//
// Nothing here is predicted anew, and no term is called the cause of another.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "model/compare/launch_record.h"

namespace gpumodel {

struct TermPair {
    std::string name;
    std::optional<double> a, b;                              // empty: that side has no such term
    [[nodiscard]] std::optional<double> difference() const;  // b - a
    [[nodiscard]] std::optional<double> ratio() const;       // b / a; empty for a = 0
};

struct SitePair {
    std::string name, space, kind;
    std::optional<SiteRecord> a, b;
};

struct LaunchComparison {
    TermPair time_us;                 // both sides present exactly when both launches have a time
    std::vector<TermPair> parts;      // us; of parts, an absent side counts 0. Largest difference first
    bool stall_parts = false;         // parts are launch and stall reasons, not rounds
    bool launch_set_apart = true;     // false: parts hold the launch overhead
    std::vector<TermPair> bounds;     // us at each side's clock, the larger of both sides first
    std::vector<TermPair> resources;  // registers, occupancy, waves
    std::vector<TermPair> counters;   // in a's order, then what only b has
    std::vector<SitePair> sites;      // the same

    // b against a: +25 = b takes 25 % more time.
    [[nodiscard]] double change_pct() const { return 100 * (*time_us.b / *time_us.a - 1); }
    [[nodiscard]] bool comparable() const { return time_us.a && time_us.b; }
};

[[nodiscard]] LaunchComparison compare_launches(const LaunchRecord& a, const LaunchRecord& b);

// Over launches that have both times.
struct RunSummary {
    std::size_t launches = 0;  // compared
    std::size_t without_time = 0;
    double geometric_mean_pct = 0;    // of the ratios b / a, less 1
    std::size_t worst = 0, best = 0;  // indices of the largest and the smallest ratio
    double worst_pct = 0, best_pct = 0;
};
[[nodiscard]] RunSummary summarise(const std::vector<LaunchComparison>& comparisons);

}  // namespace gpumodel
