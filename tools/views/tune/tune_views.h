// Views of what tune found.
#pragma once

#include <string>
#include <vector>

#include "tools/tune/search.h"

namespace gpumodel::cli::tuning {

struct TuneView {
    const ArchSpec& arch;
    const std::vector<std::string>& kernels;
    const SearchSettings& settings;
    const std::vector<ShapeChoice>& choices;  // by shape, as asked for
};

[[nodiscard]] std::string tune_text(const TuneView& view);
[[nodiscard]] std::string tune_json(const TuneView& view);
// The contract's columns of every refined configuration in rank order, then rank, loss_pct, rank_time_us,
// analytic_time_us, best_probability, and the rank that the stages before gave it: analytic_rank,
// generated_rank.
[[nodiscard]] std::string tune_csv(const TuneView& view);
// A header for C11 and C++: one table row per shape with its winner, and a function that returns the nearest
// shape's row: the least |log2| of the ratios of M, N and K, summed; the first of equals. No library is
// needed.
[[nodiscard]] std::string tune_header(const TuneView& view);

// The default that the winner is compared with: its own family's, by code of the same kind. nullptr: there is
// none that fits.
[[nodiscard]] const Candidate* default_of(const ShapeChoice& choice, const Candidate& candidate);
// The default's rank, from 1; 0 = not among the refined.
[[nodiscard]] std::size_t default_rank(const ShapeChoice& choice, const Candidate& family_default);

}  // namespace gpumodel::cli::tuning
