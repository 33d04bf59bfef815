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

    // Counts beyond 64 bits come back as the largest that fits.
    [[nodiscard]] std::int64_t arch_points() const;  // 1 without arch axes
    [[nodiscard]] std::int64_t points_per_shape() const;
    [[nodiscard]] std::int64_t points_per_arch() const;
    [[nodiscard]] std::int64_t size() const;
    // The overrides of one of arch_points(), one per axis.
    [[nodiscard]] std::vector<Override> overrides(std::int64_t arch_point) const;
    // The job of one of points_per_arch(); all of the grid's parameters set, the family's others left out.
    [[nodiscard]] PredictionJob job(std::int64_t point) const;
};

// "64,128,256", "8:32:8" (first:last:step, the last included when a step meets it; without a step 1), or a
// mixture "8,16:64:16". Faults (no number, a step below 1, twice the same value, more than a million values)
// join `faults` under `option`; then empty.
[[nodiscard]] std::vector<std::int64_t> axis_values(const std::string& text, const std::string& option,
                                                    OptionFaults& faults);

// "1024" (cube), "4096x2048x512" (MxNxK), comma-separated, or a range "1024:4096:1024" of cubes; each
// dimension from 1 to largest_dimension. Faults as above.
[[nodiscard]] std::vector<ProblemShape> shape_list(const std::string& text, const std::string& option,
                                                   OptionFaults& faults);

// "BM=64,128" items, one axis each; UNROLL may also be "auto" (0). Faults as above, and keys given twice.
[[nodiscard]] std::vector<ParamAxis> param_axes(const std::vector<std::string>& items,
                                                const std::string& option, OptionFaults& faults);

// Keys that the family has not got (with the nearest) and values outside their range.
void check_param_axes(const Family& family, const std::vector<ParamAxis>& axes, const std::string& option,
                      OptionFaults& faults);

// "sm.shared_memory.banks=16,32,64" or "device.sm_count=60:120:20" items, one axis each. Values are written
// as for --set, a range with its unit behind ("700:900:100 GB/s"); a list's own commas stand in brackets.
// Faults: unknown keys (with the nearest), values that do not fit their key, twice the same key or value.
[[nodiscard]] std::vector<ArchAxis> arch_axes(const std::vector<std::string>& items,
                                              const std::string& option, OptionFaults& faults);

// The values that a tuner would try of each parameter of the family: powers of two as published tuning
// scripts try them, within the parameter's range, and its default. Left out, so at their default: parameters
// with one valid value, those that only fix how loops are unrolled, and those that state the problem
// (strides, offsets).
[[nodiscard]] std::vector<ParamAxis> default_axes(const Family& family);

}  // namespace gpumodel::cli
