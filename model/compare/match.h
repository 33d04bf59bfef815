// Which launches of one run correspond to which of another.
#pragma once

#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

#include "model/compare/launch_record.h"

namespace gpumodel {

struct LaunchPair {
    std::size_t a = 0, b = 0;  // indices into the two runs
    std::optional<std::size_t>
        analytic;  // of a simulated pair: the pair of the same launch by the other model
};

struct Matching {
    std::vector<LaunchPair> pairs;  // in a's order
    std::vector<std::size_t> only_a, only_b;
};

// Launches correspond when model, arch, kernel, params (in any order), M, N, K and variant agree. Of these,
// all but the model are left out when each side has only one value: what never varies within a run tells no
// launches apart, so two kernels over the same sizes, or two architectures, are matched by the rest. Launches
// that still agree are matched first to first, second to second.
[[nodiscard]] Matching match_launches(const std::vector<LaunchRecord>& a, const std::vector<LaunchRecord>& b);

// Indices of the pairs of the predicted times: all but the analytic ones whose launch was simulated as well.
[[nodiscard]] std::vector<std::size_t> predicted_pairs(const Matching& matching);

}  // namespace gpumodel
