// When windows of a run have become alike.
//
//   steady = max(2 standard errors of the mean, difference between the halves' means) <= tolerance x mean,
//            over the windows behind the warm-up
#pragma once

#include <optional>
#include <vector>

#include "model/sim/extrapolate/windows.h"

namespace gpumodel::sim {

struct Steady {
    std::size_t windows = 0;  // the last so many
    double mean = 0;
    double error = 0;  // relative, of the mean
};

// `values`: one figure per window, oldest first. `work`: see policy.h.
[[nodiscard]] std::optional<Steady> steady_state(const std::vector<double>& values, double work);

// Warps inside one top-level loop; their number to an eighth, as one warp more or less hardly matters.
struct LoopCrowd {
    const TopLoop* loop = nullptr;
    std::int32_t warps = 0;

    [[nodiscard]] bool operator==(const LoopCrowd&) const = default;
};
// In order of each loop's first warp.
[[nodiscard]] std::vector<LoopCrowd> crowds_of(const std::vector<WarpProgress>& warps);

// What windows of iterations have shown of one set of resident loops, over all the times that it came back
// (the next block): if it runs as it did before, it is steady after the first window behind its warm-up.
struct KnownCpi {
    std::vector<LoopCrowd> crowds;
    double windows = 0;
    double mean = 0;     // cycles per instruction
    double squares = 0;  // sum of squared deviations from the mean
    double stays = 0;    // times that the set was there
    std::int64_t last_stay = -1;
    WindowEnd sum;  // from 0

    void add(const WindowEnd& from, const WindowEnd& to, std::int64_t stay);
};

// `cpis`: cycles per instruction by window since the set came back, oldest first; the first is warm-up. Mean
// and error are of all that is known, the error at least the distance of the new windows from it.
[[nodiscard]] std::optional<Steady> steady_again(const KnownCpi& known, const std::vector<double>& cpis,
                                                 double work);

}  // namespace gpumodel::sim
