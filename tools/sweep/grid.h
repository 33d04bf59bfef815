// The points of a what-if study: every combination of spec values, problem shapes and kernel parameters.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tools/option_values.h"
#include "tools/prediction_job.h"

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

    [[nodiscard]] std::int64_t arch_points() const;  // 1 without arch axes
    [[nodiscard]] std::int64_t points_per_arch() const;
    [[nodiscard]] std::int64_t size() const { return arch_points() * points_per_arch(); }
    // The overrides of one of arch_points(), one per axis.
    [[nodiscard]] std::vector<Override> overrides(std::int64_t arch_point) const;
    // The job of one of points_per_arch(); all of the grid's parameters set, the family's others left out.
    [[nodiscard]] PredictionJob job(std::int64_t point) const;
};

// "64,128,256", "8:32:8" (first:last:step, the last included when a step meets it), or a mixture "8,16:64:16".
// Faults (no number, step below 1, twice the same value, more than a million values) join `faults` under
// `place`; then empty.
[[nodiscard]] std::vector<std::int64_t> axis_values(const std::string& text, const std::string& option,
                                                    OptionFaults& faults);

// "1024" (cube), "4096x2048x512" (MxNxK), comma-separated, or a range "1024:4096:1024" of cubes.
[[nodiscard]] std::vector<ProblemShape> shape_list(const std::string& text, const std::string& option,
                                                   OptionFaults& faults);

// The values that a tuner would try of each parameter of the family: powers of two (and the families' usual
// multiples) within its range; parameters that only fix how loops are unrolled are left out.
[[nodiscard]] std::vector<ParamAxis> default_axes(const Family& family);

}  // namespace gpumodel::cli
