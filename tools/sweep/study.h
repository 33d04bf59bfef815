// One sweep: the grids of all its families on one base architecture, as one line of points.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "tools/sweep/options/grid.h"

namespace gpumodel::cli {

// Points [begin, end) of a sweep.
struct PointRange {
    std::int64_t begin = 0;
    std::int64_t end = 0;
};

// One of --shard i/n: chunks that differ by at most one point.
struct Shard {
    std::int64_t index = 1;  // from 1
    std::int64_t count = 1;
};
[[nodiscard]] PointRange shard_range(const Shard& shard, std::int64_t points);

// A family's part of the sweep.
struct FamilyGrid {
    const Family* family = nullptr;
    Grid grid;             // without the spec keys, which all families share
    ParamValues defaults;  // of all parameters
};

// All parameters of one of its jobs.
[[nodiscard]] ParamValues params_of(const FamilyGrid& family, const PredictionJob& job);

// Spec values outermost, then families, shapes and parameters.
struct Study {
    ArchOptions arch;
    std::string arch_name;  // of the product that `arch` means
    std::vector<ArchAxis> arch_axes;
    std::vector<FamilyGrid> families;
    PredictSettings settings;

    [[nodiscard]] std::int64_t arch_points() const;
    [[nodiscard]] std::int64_t points_per_arch() const;
    [[nodiscard]] std::int64_t size() const;  // saturated as Grid's
    [[nodiscard]] int models() const { return settings.models == ModelChoice::both ? 2 : 1; }
};

// The spec of one combination of swept keys, loaded when first asked for. Thread-safe.
class ArchPoint {
public:
    ArchPoint(const Study& study, std::int64_t index);
    // Null when the values contradict each other; fault() then says how.
    [[nodiscard]] const ArchSpec* spec() const;
    [[nodiscard]] const std::string& fault() const { return fault_; }
    [[nodiscard]] const std::vector<Override>& overrides() const { return overrides_; }
    [[nodiscard]] std::int64_t index() const { return index_; }

private:
    void load() const;

    const Study* study_;
    std::int64_t index_;
    std::vector<Override> overrides_;
    mutable std::once_flag once_;
    mutable std::optional<ArchSpec> spec_;
    mutable std::string fault_;
};

// One launch of the sweep, all parameters resolved.
struct StudyPoint {
    const FamilyGrid* family = nullptr;
    std::int64_t shape_index = 0;
    ProblemShape shape;
    ParamValues params;
};
// `offset`: of points_per_arch().
[[nodiscard]] StudyPoint study_point(const Study& study, std::int64_t offset);

// The point's program, or the rule that rejects it, as lower_job gives them.
[[nodiscard]] LaunchProgram lower_point(const Study& study, const StudyPoint& point, const ArchPoint& arch);

// What identifies the sweep: the same text for the same points, inputs and version of gpumodel.
[[nodiscard]] std::string study_identity(const Study& study, const ArchSpec& base, bool keep_invalid);

}  // namespace gpumodel::cli
