// The points of a what-if study: every combination of spec values, problem shapes and kernel parameters.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tools/cli/option_values.h"
#include "tools/launch/prediction_job.h"

namespace gpumodel::cli {

// One kernel parameter and the values it takes, in the order given.
struct ParamAxis {
    std::string key;
    std::vector<std::int64_t> values;
};

// One spec key (--set-sweep) and its values as text, units as for --set.
struct ArchAxis {
    std::string key;
    std::vector<std::string> values;
};

// A point is an index: spec values outermost, then shapes, then parameters, the last axis fastest.
struct Grid {
    std::string kernel;
    std::vector<ArchAxis> arch;
    std::vector<ProblemShape> shapes;
    std::vector<ParamAxis> params;
    std::vector<ParamAxis> implied;  // of derived parameters: no axes, but what points must come to

    // Counts beyond 64 bits come back as the largest that fits.
    [[nodiscard]] std::int64_t arch_points() const;  // 1 without arch axes
    [[nodiscard]] std::int64_t points_per_shape() const;
    [[nodiscard]] std::int64_t points_per_arch() const;
    [[nodiscard]] std::int64_t size() const;
    // The overrides of one of arch_points(), one per axis.
    [[nodiscard]] std::vector<Override> overrides(std::int64_t arch_point) const;
    // Why a point with these parameters (resolve_params) is not asked for: the value that it implies of a
    // derived parameter is none of those given. Empty if it is.
    [[nodiscard]] std::string refusal(const ParamValues& resolved) const;
    // Those of the family's own configuration that are not its defaults: words, as of types, which say what
    // is computed, where all points have the same.
    [[nodiscard]] ParamValues asked_words() const;
    // The job of one of points_per_arch(); all of the grid's parameters set, the family's others left out.
    [[nodiscard]] PredictionJob job(std::int64_t point) const;
};

// Those of `given` that are parameters of the family (its derived ones aside), and those that it derives.
[[nodiscard]] std::vector<ParamAxis> own_axes(const Family& family, const std::vector<ParamAxis>& given);
[[nodiscard]] std::vector<ParamAxis> implied_axes(const Family& family, const std::vector<ParamAxis>& given);

// The values that a tuner would try of each parameter of the family: powers of two as published tuning
// scripts try them, within the parameter's range, and its default. Left out, so at their default: parameters
// with one valid value, those that only fix how loops are unrolled, and those that state the problem
// (strides, offsets).
[[nodiscard]] std::vector<ParamAxis> default_axes(const Family& family);

}  // namespace gpumodel::cli
